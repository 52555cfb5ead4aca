import Model
import Storage

/// The change log of libraries, read or written in a transaction: `transaction.libraryChanges`.
package struct LibraryChangeStore<Access: SQLReader> {
    package let transaction: Access
}

extension SQLReader {
    package var libraryChanges: LibraryChangeStore<Self> { LibraryChangeStore(transaction: self) }
}

extension LibraryChangeStore {
    /// A page of a user's change log.
    ///
    /// Kinds and items are not indexed: a page of one kind or one track reads the library's changes until it is full.
    /// An index would slow down every sync, for pages that people only open occasionally.
    ///
    /// - Parameter cache: stores the total, so that further pages of a list do not have to count again.
    package func page(
        userID: String, _ query: ChangeListQuery, cache: LibraryListCache? = nil
    ) throws -> LibraryPage<LibraryChangeRecord> {
        let summary = try transaction.library.summary(userID: userID)
        guard let library = summary.libraryID else { return .empty }
        let condition = try condition(of: query, library: library)
        func count() throws -> Int {
            try transaction.row("SELECT COUNT(*) AS count FROM library_changes WHERE \(condition)")?["count"] ?? 0
        }
        let list = LibraryListCache.ChangeList(
            library: library, change: summary.change, since: query.since, kind: query.kind, track: query.track)
        let total = try cache?.total(of: list, count: count) ?? count()
        let keyset = query.order.list
        let (following, offset) = keyset.beginning(of: query.start)
        let changes = try transaction.map(
            """
            SELECT id, at, kind, item, source, title, coalesce((
                SELECT track_id FROM library_source_tracks WHERE library_source_tracks.id = item_id), item_id
            ) AS item_id, (
                SELECT MAX(library_syncs.id) FROM library_syncs
                WHERE library_syncs.user_id = \(userID) AND library_syncs.number = library_changes.sync) AS sync_id
            FROM library_changes
            WHERE \(condition)\(following) ORDER BY \(keyset.order) LIMIT \(query.limit + 1) OFFSET \(offset)
            """, LibraryChangeRecord.init)
        let last = changes.count > query.limit ? changes[query.limit - 1] : nil
        return LibraryPage(
            items: Array(changes.prefix(query.limit)), total: total,
            nextCursor: last.map { keyset.text(of: Int($0.at.microseconds), Int($0.id.key)) })
    }

    private func condition(of query: ChangeListQuery, library: Int64) throws -> SQL {
        var condition: SQL = "library_id = \(library)"
        if let since = query.since { condition = condition + " AND at >= \(since)" }
        if let kind = query.kind { condition = condition + " AND kind = \(kind.rawValue)" }
        guard let track = query.track else { return condition }
        // The id of a track that was merged into another one refers to the other one.
        let id = try transaction.trackIdentity.survivor(of: track.key, library: library) ?? track.key
        let sourceTracks: [Int64] = try transaction.map(
            "SELECT id FROM library_source_tracks WHERE track_id = \(id) AND +library_id = \(library)"
        ) { try $0["id"] }
        guard !sourceTracks.isEmpty else { return condition + " AND 1 = 0" }
        return condition + " AND item = 'track' AND item_id IN (\(list: sourceTracks))"
    }
}
