import Model
import Storage

extension TrackStore where Access == ReadTransaction {
    /// A page of a user's tracks.
    ///
    /// The ids of a page come from the index of its sort order, which also contains the columns of the filter. Rows are
    /// only read for the page itself. So a page costs the same in every library, and a position costs at most a walk
    /// over half of the index.
    ///
    /// - Parameter cache: speeds up positions, and searches with a filter.
    package func page(
        userID: String, _ query: TrackListQuery, cache: LibraryListCache? = nil
    ) throws -> LibraryPage<LibraryTrack> {
        let summary = try transaction.library.summary(userID: userID)
        guard let library = summary.libraryID else { return .empty }
        let page: PageIDs
        var list: TrackPositions.List?
        if let artist = query.artist {
            page = try transaction.librarySearch.tracks(by: artist, query, library: library)
        } else if let search = query.search {
            page = try transaction.librarySearch.searchedTracks(search, query, summary, cache, library: library)
        } else {
            list = TrackPositions.List(query, library: library, change: summary.change)
            page = try listedTracks(
                query, total: summary.count(query.filter), library: library,
                placeBefore: { position in list.flatMap { cache?.place(before: position, in: $0) } })
        }
        let tracks = try tracks(ids: page.ids, library: library)
        if let list, case .position(let position) = query.start {
            cache?.record(query.sort.order.places(of: tracks, from: position), in: list)
        }
        let last = page.hasMore ? tracks.last : nil
        return LibraryPage(
            items: tracks, total: page.total, nextCursor: last.map { query.sort.order.cursor(of: $0) })
    }

    /// - Parameter placeBefore: returns the last known place before a position in the list.
    private func listedTracks(
        _ query: TrackListQuery, total: Int, library: Int64, placeBefore: (Int) -> TrackPositions.Entry?
    ) throws -> PageIDs {
        let (order, limit) = (query.sort.order, query.limit)
        switch query.start {
        case .after(let place):
            let ids = try trackIDs(after: place, limit: limit + 1, query, library: library)
            return PageIDs(ids: Array(ids.prefix(limit)), total: total, hasMore: ids.count > limit)
        case .position(let position):
            guard position < total else { return PageIDs(ids: [], total: total, hasMore: false) }
            let count = min(limit, total - position)
            let hasMore = position + count < total
            let isNearEnd = position > total / 2
            let walk = isNearEnd ? total - position : position
            if let known = placeBefore(position), position - known.position < walk {
                let ids = try trackIDs(
                    after: known.place, skipping: position - known.position - 1, limit: count, query, library: library)
                return PageIDs(ids: ids, total: total, hasMore: hasMore)
            }
            let ids = try transaction.keys(
                """
                SELECT id FROM library_tracks WHERE library_id = \(library)\(query.filter.condition)
                ORDER BY \(isNearEnd ? order.reversed : order.sql)
                LIMIT \(count) OFFSET \(isNearEnd ? total - position - count : position)
                """)
            return PageIDs(ids: isNearEnd ? ids.reversed() : ids, total: total, hasMore: hasMore)
        }
    }

    /// The tracks after a place that match the filter.
    ///
    /// - Parameter skipped: how many of them to skip.
    private func trackIDs(
        after place: ListPosition?, skipping skipped: Int = 0, limit: Int, _ query: TrackListQuery, library: Int64
    ) throws -> [Int64] {
        let order = query.sort.order
        var left = skipped
        var ids: [Int64] = []
        for following in order.following(place) where ids.count < limit {
            try transaction.forEachInteger(
                """
                SELECT id FROM library_tracks WHERE library_id = \(library)\(query.filter.condition)\(following)
                ORDER BY \(order.sql) LIMIT \(left + limit - ids.count)
                """
            ) { id in
                if left > 0 { left -= 1 } else { ids.append(id) }
                return .continue
            }
        }
        return ids
    }
}
