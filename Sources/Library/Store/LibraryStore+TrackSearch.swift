import Model
import Storage

extension LibraryStore where Access == ReadTransaction {
    /// Up to this many hits are always read and sorted. The order of more is found along the index, where one of them
    /// is usually not far from the next.
    private static var sortedHits: Int { 500 }
    /// A hit that is read and sorted takes as long as so many steps along the index, roughly.
    private static var stepsPerSortedHit: Int { 30 }

    /// The tracks whose title, artist or album has the text of a search, in the order of their keys.
    func hits(_ search: SearchQuery, orderedBy field: SearchHits.Field? = nil, library: Int64) throws -> SearchHits {
        var hits = SearchHits(orderedBy: field)
        try transaction.forEachRow(
            "SELECT entries, texts FROM library_search_blocks WHERE library_id = \(library) ORDER BY first_id"
        ) { row in
            try SearchBlock.search(search, entries: row["entries"], texts: row["texts"], into: &hits)
            return .goOn
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
        let found = KeySet(hits.ids)
        let total =
            try counted(hits.ids, query.filter, summary, cache, library: library)
            ?? count(of: found, query.filter, summary, library: library)
        return try walked(along: found, from: hits.beginning, query, total: total, library: library)
    }

    /// The tracks of an artist, of all that have the name somewhere.
    func tracks(by artist: ArtistFilter, _ query: TrackListQuery, library: Int64) throws -> PageIDs {
        var ids = try hits(artist.search, library: library).ids
        if let search = query.search {
            let found = KeySet(try hits(search, library: library).ids)
            ids = ids.filter(found.contains)
        }
        return page(of: try sorted(ids, query, library: library), query)
    }

    /// Whether a page is found sooner by reading and sorting all hits than by a walk along the index, which passes the
    /// tracks between the nearer end and the page's last one. Hits are taken to be spread evenly.
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

    /// A hit and its values in the columns of the order.
    private typealias Hit = (id: Int64, values: [SQLValue])

    /// Hits that pass the filter and are by the artist, in order.
    private func sorted(_ hits: [Int64], _ query: TrackListQuery, library: Int64) throws -> [Hit] {
        let order = query.sort.order
        var found: [Hit] = []
        // Parts of 128, so that the statements that stay prepared are few and short.
        for start in stride(from: 0, to: hits.count, by: 128) {
            let part = hits[start..<min(start + 128, hits.count)]
            try transaction.forEachRow(
                """
                SELECT id, artist, title_key, artist_key, album_key, album_position, added_at, total_plays, sources
                FROM library_tracks WHERE id IN (\(list: part)) AND +library_id = \(library)
                """
            ) { row in
                guard query.filter.includes(sources: try row["sources"]) else { return .goOn }
                if let artist = query.artist, !artist.includes(artist: try row["artist"]) { return .goOn }
                found.append((try row["id"], try order.columns.map { try row[$0.description] }))
                return .goOn
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

    /// How many of the hits pass a filter, where no index has to be walked for that.
    private func counted(
        _ hits: [Int64], _ filter: TrackFilter, _ summary: LibrarySummary, _ cache: LibraryListCache?, library: Int64
    ) throws -> Int? {
        if filter == .all { return hits.count }
        let sources = try cache?.sources(of: library, change: summary.change) {
            let first = hits[0]
            var values: [Int64] = []
            values.reserveCapacity(summary.tracks)
            // In the order of the shortest index, so that SQLite reads that one.
            try transaction.forEachInteger(
                """
                SELECT (id - \(first)) * 4 + sources AS value FROM library_tracks
                WHERE library_id = \(library) ORDER BY total_plays, id
                """
            ) { value in
                values.append(value)
                return .goOn
            }
            return TrackSources(from: first, values)
        }
        return sources?.count(of: hits, filter)
    }

    /// How many of the hits pass a filter.
    private func count(
        of hits: KeySet, _ filter: TrackFilter, _ summary: LibrarySummary, library: Int64
    ) throws -> Int {
        // Whichever of the two sets is smaller.
        let isDirect = summary.count(filter) <= summary.tracks / 2
        var count = 0
        // In the order of the shortest index, so that SQLite reads that one.
        try transaction.forEachInteger(
            """
            SELECT id FROM library_tracks
            WHERE library_id = \(library)\(isDirect ? filter.condition : filter.complement) ORDER BY total_plays, id
            """
        ) { id in
            if hits.contains(id) { count += 1 }
            return .goOn
        }
        return isDirect ? count : hits.count - count
    }

    /// A page of hits along the index of the order, from the nearer end for a position.
    ///
    /// - Parameter beginning: a text that the first column of no hit comes before: texts of one script stand together.
    private func walked(
        along hits: KeySet, from beginning: String?, _ query: TrackListQuery, total: Int, library: Int64
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
                guard hits.contains(id) else { return .goOn }
                if skipped > 0 {
                    skipped -= 1
                    return .goOn
                }
                ids.append(id)
                return ids.count < wanted ? .goOn : .stop
            }
        }
        if case .position(let position) = query.start {
            return PageIDs(
                ids: isReversed ? ids.reversed() : ids, total: total, hasMore: position + ids.count < total)
        }
        return PageIDs(ids: Array(ids.prefix(query.limit)), total: total, hasMore: ids.count > query.limit)
    }
}
