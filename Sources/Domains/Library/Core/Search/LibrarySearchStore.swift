import Model
import Storage

/// The search index of libraries, read or written in a transaction: `transaction.librarySearch`.
package struct LibrarySearchStore<Access: SQLReader> {
    package let transaction: Access
}

extension SQLReader {
    package var librarySearch: LibrarySearchStore<Self> { LibrarySearchStore(transaction: self) }
}

extension LibrarySearchStore where Access == ReadTransaction {
    /// Up to this number of hits, all hits are read and sorted. With more hits, their order is determined by walking
    /// along the index, where one hit is usually not far from the next.
    private static var sortedHits: Int { 500 }
    /// Reading and sorting a hit takes roughly as long as this number of steps along the index.
    private static var stepsPerSortedHit: Int { 30 }

    /// The tracks whose title, artist or album contains the searched text, in the order of their keys.
    func hits(_ search: SearchQuery, orderedBy field: SearchHits.Field? = nil, library: Int64) throws -> SearchHits {
        var hits = SearchHits(orderedBy: field)
        try transaction.forEachRow(
            "SELECT entries, texts FROM library_search_blocks WHERE library_id = \(library) ORDER BY first_id"
        ) { row in
            try SearchBlock.search(search, entries: row["entries"], texts: row["texts"], into: &hits)
            return .continue
        }
        return hits
    }

    func searchedTracks(
        _ search: SearchQuery, _ query: TrackListQuery, _ summary: LibrarySummary, _ cache: LibraryListCache?,
        library: Int64
    ) throws -> PageIDs {
        let hits = try hits(search, orderedBy: query.sort.field, library: library)
        if hits.ids.isEmpty { return PageIDs(ids: [], total: 0, hasMore: false) }
        if Self.sortsHits(hits.ids.count, for: query, among: summary.tracks) {
            return page(of: try sorted(hits.ids, query, library: library), query)
        }
        let found = RowIDSet(hits.ids)
        let total =
            try counted(hits.ids, query.filter, summary, cache, library: library)
            ?? count(of: found, query.filter, summary, library: library)
        return try walked(along: found, from: hits.beginning, query, total: total, library: library)
    }

    /// The tracks of an artist, among all tracks that contain the name anywhere.
    func tracks(by artist: ArtistFilter, _ query: TrackListQuery, library: Int64) throws -> PageIDs {
        var ids = try hits(artist.search, library: library).ids
        if let search = query.search {
            let found = RowIDSet(try hits(search, library: library).ids)
            ids = ids.filter(found.contains)
        }
        return page(of: try sorted(ids, query, library: library), query)
    }

    /// Whether reading and sorting all hits is faster than walking along the index, which passes all tracks between the
    /// nearer end and the last track of the page. It is assumed that hits are evenly distributed.
    private static func sortsHits(_ hits: Int, for query: TrackListQuery, among tracks: Int) -> Bool {
        if hits <= sortedHits { return true }
        let skipped =
            switch query.start {
            case .after: 0
            case .position(let position): max(0, min(position, hits - position - query.limit))
            }
        let walked = tracks * min(hits, skipped + query.limit) / hits
        return hits * stepsPerSortedHit < walked
    }

    // MARK: Few hits

    /// A hit with its values in the columns of the sort order.
    private typealias Hit = (id: Int64, values: [SQLValue])

    /// The hits that match the filter and the artist, in order.
    private func sorted(_ hits: [Int64], _ query: TrackListQuery, library: Int64) throws -> [Hit] {
        let order = query.sort.order
        var found: [Hit] = []
        // The parts have 128 elements, so that there are only a few short prepared statements.
        for start in stride(from: 0, to: hits.count, by: 128) {
            let part = hits[start..<min(start + 128, hits.count)]
            try transaction.forEachRow(
                """
                SELECT id, artist, title_key, artist_key, album_key, album_position, added_at, total_plays, sources
                FROM library_tracks WHERE id IN (\(list: part)) AND +library_id = \(library)
                """
            ) { row in
                guard query.filter.includes(sources: try row["sources"]) else { return .continue }
                if let artist = query.artist, !artist.includes(artist: try row["artist"]) { return .continue }
                found.append((try row["id"], try order.columns.map { try row[$0.description] }))
                return .continue
            }
        }
        return found.sorted { order.precedes($0.values, $1.values) }
    }

    private func page(of hits: [Hit], _ query: TrackListQuery) -> PageIDs {
        let order = query.sort.order
        let start =
            switch query.start {
            case .after(.none): 0
            case .after(.some(let place)):
                hits.firstIndex { order.precedes(place.values, $0.values) } ?? hits.count
            case .position(let position): min(position, hits.count)
            }
        let end = min(start + query.limit, hits.count)
        return PageIDs(ids: hits[start..<end].map(\.id), total: hits.count, hasMore: end < hits.count)
    }

    // MARK: Many hits

    /// The number of hits that match a filter, if it can be determined without walking along an index.
    private func counted(
        _ hits: [Int64], _ filter: TrackFilter, _ summary: LibrarySummary, _ cache: LibraryListCache?, library: Int64
    ) throws -> Int? {
        if filter == .all { return hits.count }
        let sources = try cache?.sources(of: library, change: summary.change) {
            let first = hits[0]
            var values: [Int64] = []
            values.reserveCapacity(summary.tracks)
            // The order is that of the shortest index, so that SQLite reads that one.
            try transaction.forEachInteger(
                """
                SELECT (id - \(first)) * 4 + sources AS value FROM library_tracks
                WHERE library_id = \(library) ORDER BY total_plays, id
                """
            ) { value in
                values.append(value)
                return .continue
            }
            return TrackSources(from: first, values)
        }
        return sources?.count(of: hits, filter)
    }

    /// The number of hits that match a filter.
    private func count(
        of hits: RowIDSet, _ filter: TrackFilter, _ summary: LibrarySummary, library: Int64
    ) throws -> Int {
        // The smaller of the two sets is read.
        let isDirect = summary.count(filter) <= summary.tracks / 2
        var count = 0
        // The order is that of the shortest index, so that SQLite reads that one.
        try transaction.forEachInteger(
            """
            SELECT id FROM library_tracks
            WHERE library_id = \(library)\(isDirect ? filter.condition : filter.complement) ORDER BY total_plays, id
            """
        ) { id in
            if hits.contains(id) { count += 1 }
            return .continue
        }
        return isDirect ? count : hits.count - count
    }

    /// A page of hits along the index of the sort order, walking from the nearer end for a position.
    ///
    /// - Parameter beginning: a text that does not come after the first column of any hit, since texts of one script
    ///   are adjacent.
    private func walked(
        along hits: RowIDSet, from beginning: String?, _ query: TrackListQuery, total: Int, library: Int64
    ) throws -> PageIDs {
        let order = query.sort.order
        var following: [SQL] = [""]
        var direction = order.sql
        var (skipped, wanted) = (0, query.limit + 1)
        var isReversed = false
        switch query.start {
        case .after(.none): break
        case .after(.some(let place)): following = order.following(place)
        case .position(let position):
            guard position < total else { return PageIDs(ids: [], total: total, hasMore: false) }
            let count = min(query.limit, total - position)
            isReversed = position > total / 2
            if isReversed { direction = order.reversed }
            (skipped, wanted) = (isReversed ? total - position - count : position, count)
        }
        if let beginning, following.count == 1 { following = [" AND \(trusted: order.columns[0]) >= \(beginning)"] }
        var ids: [Int64] = []
        for condition in following where ids.count < wanted {
            try transaction.forEachInteger(
                """
                SELECT id FROM library_tracks
                WHERE library_id = \(library)\(query.filter.condition)\(condition) ORDER BY \(direction)
                """
            ) { id in
                guard hits.contains(id) else { return .continue }
                if skipped > 0 {
                    skipped -= 1
                    return .continue
                }
                ids.append(id)
                return ids.count < wanted ? .continue : .stop
            }
        }
        if case .position(let position) = query.start {
            return PageIDs(
                ids: isReversed ? ids.reversed() : ids, total: total, hasMore: position + ids.count < total)
        }
        return PageIDs(ids: Array(ids.prefix(query.limit)), total: total, hasMore: ids.count > query.limit)
    }
}
