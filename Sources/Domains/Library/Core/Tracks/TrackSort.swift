import Storage

/// The sort orders of the list of tracks. The raw values are part of the API.
package enum TrackSort: String, Sendable, Hashable, CaseIterable {
    /// The most recently added tracks first.
    case recentlyAdded
    case title
    /// By artist, then by album.
    case artist
    /// By album, then by position on the album.
    case album
    /// The most played tracks first, by the greater of the services' play count and the number of listens.
    case playCount
}

/// A place in the list of tracks: a track's values in the columns that the list is sorted by, with the id last.
package struct ListPosition: Sendable {
    let values: [SQLValue]
}

/// A sort order of tracks, matching an index. The id comes last, so that equal keys have a defined order, too.
package struct TrackOrder: Sendable {
    let columns: [StaticString]
    let isDescending: Bool
    /// Reads a cursor; returns `nil` for a text that is not a cursor of this order.
    fileprivate let read: @Sendable (String) -> ListPosition?
    fileprivate let write: @Sendable (LibraryTrack) -> String

    package func place(_ cursor: String) -> ListPosition? { read(cursor) }

    func cursor(of track: LibraryTrack) -> String { write(track) }

    /// The places of the first and last track on a page.
    ///
    /// - Parameter position: the position of the first track.
    func places(of page: [LibraryTrack], from position: Int) -> [TrackPositions.Entry] {
        Set([0, page.count - 1]).filter(page.indices.contains).compactMap { index in
            place(cursor(of: page[index])).map { TrackPositions.Entry(position: position + index, place: $0) }
        }
    }

    /// The order for `ORDER BY`.
    var sql: SQL { list(columns, suffix: isDescending ? " DESC" : "") }

    /// The reverse order for `ORDER BY`.
    var reversed: SQL { list(columns, suffix: isDescending ? "" : " DESC") }

    /// The conditions, each beginning with ` AND`, for the tracks after a place: first those with the same keys, then
    /// all others. Without a place, this is a single condition that is always true.
    ///
    /// There are two statements because SQLite uses only the columns before the id to find a place in an index, and
    /// would walk through all tracks with the same keys: in many libraries, all tracks have the same play count.
    func following(_ place: ListPosition?) -> [SQL] {
        guard let place, let id = place.values.last else { return [""] }
        let comparison: SQL = isDescending ? " < " : " > "
        let keys = Array(columns.dropLast())
        var same: SQL = ""
        var bound: SQL = ""
        for (column, value) in zip(keys, place.values) {
            same = "\(same) AND \(trusted: column) = \(value)"
            bound = bound.text.isEmpty ? "\(value)" : "\(bound), \(value)"
        }
        same = "\(same) AND id\(comparison)\(id)"
        // A single column is not compared as a row value, which can lead to a worse query plan.
        let others: SQL =
            keys.count == 1
            ? " AND \(trusted: keys[0])\(comparison)\(bound)"
            : " AND (\(list(keys, suffix: "")))\(comparison)(\(bound))"
        return [same, others]
    }

    private func list(_ columns: [StaticString], suffix: SQL) -> SQL {
        var sql: SQL = ""
        for (index, column) in columns.enumerated() {
            if index > 0 { sql = sql + ", " }
            sql = sql + SQL(column) + suffix
        }
        return sql
    }

    /// Whether one place is before another.
    func precedes(_ left: [SQLValue], _ right: [SQLValue]) -> Bool {
        for (one, other) in zip(left, right) where one != other {
            let isLess: Bool
            switch (one, other) {
            case (.integer(let one), .integer(let other)): isLess = one < other
            // Both databases compare bytes, while `String`'s own order normalizes first.
            case (.text(let one), .text(let other)): isLess = one.utf8.lexicographicallyPrecedes(other.utf8)
            default: continue
            }
            return isLess != isDescending
        }
        return false
    }
}

extension TrackSort {
    package var order: TrackOrder {
        switch self {
        case .recentlyAdded: Self.recentlyAddedOrder
        case .title: Self.titleOrder
        case .artist: Self.artistOrder
        case .album: Self.albumOrder
        case .playCount: Self.playCountOrder
        }
    }

    /// The text field that the order starts with; `nil` for orders by number.
    var field: SearchHits.Field? {
        switch self {
        case .recentlyAdded, .playCount: nil
        case .title: .title
        case .artist: .artist
        case .album: .album
        }
    }

    private static let recentlyAddedOrder: TrackOrder = {
        let list = Keyset<Int, Int>("libraryTracks.recentlyAdded")
        return TrackOrder(
            columns: ["added_at", "id"], isDescending: true,
            read: { text in
                guard let (addedAt, id) = list.cursor(text)?.values else { return nil }
                return ListPosition(values: [addedAt.sqlValue, id.sqlValue])
            },
            write: { list.text(of: Int($0.addedAt.microseconds), Int($0.id.key)) })
    }()

    private static let titleOrder: TrackOrder = {
        let list = Keyset<String, Int>("libraryTracks.title")
        return TrackOrder(
            columns: ["title_key", "id"], isDescending: false,
            read: { text in
                guard let (title, id) = list.cursor(text)?.values else { return nil }
                return ListPosition(values: [title.sqlValue, id.sqlValue])
            },
            write: { list.text(of: $0.keys.title, Int($0.id.key)) })
    }()

    private static let artistOrder: TrackOrder = {
        let list = Keyset<String, String, Int, Int>("libraryTracks.artist")
        return TrackOrder(
            columns: ["artist_key", "album_key", "album_position", "id"], isDescending: false,
            read: { text in
                guard let (artist, album, position, id) = list.cursor(text)?.values else { return nil }
                return ListPosition(values: [artist.sqlValue, album.sqlValue, position.sqlValue, id.sqlValue])
            },
            write: { list.text(of: $0.keys.artist, $0.keys.album, $0.keys.albumPosition, Int($0.id.key)) })
    }()

    private static let albumOrder: TrackOrder = {
        let list = Keyset<String, Int, Int>("libraryTracks.album")
        return TrackOrder(
            columns: ["album_key", "album_position", "id"], isDescending: false,
            read: { text in
                guard let (album, position, id) = list.cursor(text)?.values else { return nil }
                return ListPosition(values: [album.sqlValue, position.sqlValue, id.sqlValue])
            },
            write: { list.text(of: $0.keys.album, $0.keys.albumPosition, Int($0.id.key)) })
    }()

    private static let playCountOrder: TrackOrder = {
        let list = Keyset<Int, Int>("libraryTracks.playCount")
        return TrackOrder(
            columns: ["total_plays", "id"], isDescending: true,
            read: { text in
                guard let (plays, id) = list.cursor(text)?.values else { return nil }
                return ListPosition(values: [plays.sqlValue, id.sqlValue])
            },
            write: { list.text(of: $0.playCount, Int($0.id.key)) })
    }()
}
