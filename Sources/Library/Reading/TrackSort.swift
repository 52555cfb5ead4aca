import Storage

/// The orders of the list of tracks. The raw values are in the API.
package enum TrackSort: String, Sendable, Hashable, CaseIterable {
    /// The latest first.
    case recentlyAdded
    case title
    /// By artist, and an artist's tracks by album.
    case artist
    /// By album, and an album's tracks in the album's order.
    case album
    /// The most played first, by the greater of the services' numbers and that of listens.
    case playCount
}

/// A place in the list of tracks: the values of a track in the columns of the list's order, the id last.
package struct ListPlace: Sendable {
    let values: [SQLValue]
}

/// An order of tracks as its index has it. The id is last, so that equal keys have an order, too.
package struct TrackOrder: Sendable {
    let columns: [StaticString]
    let isDescending: Bool
    /// Reads a cursor; `nil` for a text that is none of this order.
    fileprivate let read: @Sendable (String) -> ListPlace?
    fileprivate let write: @Sendable (LibraryTrack) -> String

    package func place(_ cursor: String) -> ListPlace? { read(cursor) }

    func cursor(of track: LibraryTrack) -> String { write(track) }

    /// The places of the first and the last track of a page.
    ///
    /// - Parameter position: of the first one.
    func places(of page: [LibraryTrack], from position: Int) -> [TrackPlaces.Known] {
        Set([0, page.count - 1]).filter(page.indices.contains).compactMap { index in
            place(cursor(of: page[index])).map { TrackPlaces.Known(position: position + index, place: $0) }
        }
    }

    /// For `ORDER BY`.
    var sql: SQL { list(columns, suffix: isDescending ? " DESC" : "") }

    /// The same order from its end.
    var reversed: SQL { list(columns, suffix: isDescending ? "" : " DESC") }

    /// The conditions of the tracks after a place, each with ` AND` before it: those with the same keys, and then all
    /// others. Without a place, one condition that is always true.
    ///
    /// Two statements, because SQLite finds a place in an index by the columns before the id alone, and would walk over
    /// all tracks with the same keys: many libraries have one play count for all tracks.
    func following(_ place: ListPlace?) -> [SQL] {
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
        // No row value for one column: it can lead to a worse query plan.
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
            // As both databases compare bytes; String's own order normalises first.
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

    /// The field of texts that comes first in the order; `nil` for numbers.
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
                return ListPlace(values: [addedAt.sqlValue, id.sqlValue])
            },
            write: { list.text(of: Int($0.addedAt.microseconds), Int($0.id.key)) })
    }()

    private static let titleOrder: TrackOrder = {
        let list = Keyset<String, Int>("libraryTracks.title")
        return TrackOrder(
            columns: ["title_key", "id"], isDescending: false,
            read: { text in
                guard let (title, id) = list.cursor(text)?.values else { return nil }
                return ListPlace(values: [title.sqlValue, id.sqlValue])
            },
            write: { list.text(of: $0.keys.title, Int($0.id.key)) })
    }()

    private static let artistOrder: TrackOrder = {
        let list = Keyset<String, String, Int, Int>("libraryTracks.artist")
        return TrackOrder(
            columns: ["artist_key", "album_key", "album_position", "id"], isDescending: false,
            read: { text in
                guard let (artist, album, position, id) = list.cursor(text)?.values else { return nil }
                return ListPlace(values: [artist.sqlValue, album.sqlValue, position.sqlValue, id.sqlValue])
            },
            write: { list.text(of: $0.keys.artist, $0.keys.album, $0.keys.albumPosition, Int($0.id.key)) })
    }()

    private static let albumOrder: TrackOrder = {
        let list = Keyset<String, Int, Int>("libraryTracks.album")
        return TrackOrder(
            columns: ["album_key", "album_position", "id"], isDescending: false,
            read: { text in
                guard let (album, position, id) = list.cursor(text)?.values else { return nil }
                return ListPlace(values: [album.sqlValue, position.sqlValue, id.sqlValue])
            },
            write: { list.text(of: $0.keys.album, $0.keys.albumPosition, Int($0.id.key)) })
    }()

    private static let playCountOrder: TrackOrder = {
        let list = Keyset<Int, Int>("libraryTracks.playCount")
        return TrackOrder(
            columns: ["total_plays", "id"], isDescending: true,
            read: { text in
                guard let (plays, id) = list.cursor(text)?.values else { return nil }
                return ListPlace(values: [plays.sqlValue, id.sqlValue])
            },
            write: { list.text(of: $0.playCount, Int($0.id.key)) })
    }()
}
