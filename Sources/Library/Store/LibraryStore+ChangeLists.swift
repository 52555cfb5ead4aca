import Model
import Storage

extension LibraryStore {
    /// A page of what happened to a person's library, the earliest first.
    ///
    /// - Parameter since: the earliest moment; `nil` for everything that is kept.
    package func changes(
        userID: String, since: Timestamp?, start: ListStart<Cursor<Int, Int>>, limit: Int
    ) throws -> LibraryPage<LibraryChangeRecord> {
        guard let library = try libraryID(ofUser: userID) else { return .empty }
        var condition: SQL = "library_id = \(library)"
        if let since { condition = condition + " AND at >= \(since)" }
        let total: Int =
            try transaction.row("SELECT COUNT(*) AS count FROM library_changes WHERE \(condition)")?["count"] ?? 0
        let list = LibraryLists.changes
        let (following, offset) = list.beginning(of: start)
        let changes = try transaction.map(
            """
            SELECT id, at, kind, item, source, title, coalesce((
                SELECT track_id FROM library_source_tracks WHERE library_source_tracks.id = item_id), item_id
            ) AS item_id, (
                SELECT MAX(library_syncs.id) FROM library_syncs
                WHERE library_syncs.user_id = \(userID) AND library_syncs.number = library_changes.sync) AS sync_id
            FROM library_changes
            WHERE \(condition)\(following) ORDER BY \(list.order) LIMIT \(limit + 1) OFFSET \(offset)
            """, LibraryChangeRecord.init)
        let last = changes.count > limit ? changes[limit - 1] : nil
        return LibraryPage(
            items: Array(changes.prefix(limit)), total: total,
            nextCursor: last.map { list.text(of: Int($0.at.microseconds), Int($0.id.key)) })
    }
}
