import Model
import Storage

extension ImportStore {
    /// Imports that ended before a moment and whose rows are still kept, the earliest first.
    package func unpruned(
        finishedBefore cutoff: PruningTime, limit: Int
    ) throws -> [(userID: String, id: LibraryID)] {
        try transaction.map(
            """
            SELECT user_id, id FROM library_imports
            WHERE pruned_at IS NULL AND finished_at IS NOT NULL AND finished_at < \(cutoff.moment)
                AND state IN ('complete', 'failed', 'undone')
            ORDER BY finished_at LIMIT \(limit)
            """
        ) { (try $0["user_id"], LibraryID(key: try $0["id"])) }
    }
}

extension ImportStore where Access == WriteTransaction {
    /// Deletes some of the rows that tell what an import brought and what it skipped. The import itself stays in the
    /// list, and can no longer be undone.
    ///
    /// What it brought stays for good, also where a later import that brought the same is undone.
    ///
    /// - Returns: the number of deleted rows; 0 when none is left.
    package func prune(_ id: LibraryID, userID: String, limit: Int, at now: PruningTime) throws -> Int {
        let items = try transaction.map(
            """
            SELECT item, item_id FROM library_import_items
            WHERE user_id = \(userID) AND import_id = \(id.key) ORDER BY item, item_id LIMIT \(limit)
            """
        ) { (kind: try $0["item"] as String, id: try $0["item_id"] as Int64) }
        for (kind, items) in Dictionary(grouping: items, by: \.kind) {
            for part in items.map(\.id).inParts {
                try transaction.execute(
                    """
                    DELETE FROM library_import_items
                    WHERE user_id = \(userID) AND item = \(kind) AND item_id IN (\(list: part))
                    """)
            }
        }
        var count = items.count
        if count < limit {
            count += try transaction.execute(
                """
                DELETE FROM library_import_skips
                WHERE user_id = \(userID) AND import_id = \(id.key) AND number IN (
                    SELECT number FROM library_import_skips
                    WHERE user_id = \(userID) AND import_id = \(id.key) ORDER BY number LIMIT \(limit - count))
                """)
        }
        if count == 0 {
            try transaction.execute(
                """
                UPDATE library_imports SET pruned_at = \(now.moment) WHERE user_id = \(userID) AND id = \(id.key)
                """)
        }
        return count
    }
}
