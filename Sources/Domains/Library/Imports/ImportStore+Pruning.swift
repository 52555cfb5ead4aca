import Library
import Model
import Storage

/// An import whose rows are to be deleted.
package struct UnprunedImport: Sendable, Hashable {
    package let userID: String
    package let id: LibraryID
    let finishedAt: Timestamp
}

extension ImportStore {
    /// Imports that ended before a moment and still have rows, earliest first.
    ///
    /// - Parameter last: the import to start after; `nil` starts with the earliest one.
    package func unpruned(
        finishedBefore cutoff: PruningTime, after last: UnprunedImport? = nil, limit: Int
    ) throws -> [UnprunedImport] {
        let place: SQL =
            last.map { "AND (finished_at, user_id, id) > (\($0.finishedAt), \($0.userID), \($0.id.key))" } ?? ""
        return try transaction.map(
            """
            SELECT user_id, id, finished_at FROM library_imports
            WHERE pruned_at IS NULL AND finished_at IS NOT NULL AND finished_at < \(cutoff.moment)
                AND state IN ('complete', 'failed', 'undone') \(place)
            ORDER BY finished_at, user_id, id LIMIT \(limit)
            """
        ) {
            UnprunedImport(
                userID: try $0["user_id"], id: LibraryID(key: try $0["id"]), finishedAt: try $0["finished_at"])
        }
    }
}

extension ImportStore where Access == WriteTransaction {
    /// Rules out that an import is undone, before the first of its rows is deleted: if some were missing, it would only
    /// be undone partly.
    ///
    /// - Returns: whether its rows may be deleted; an import that is being undone keeps them.
    package func beginPruning(_ id: LibraryID, userID: String, at now: PruningTime) throws -> Bool {
        try transaction.execute(
            """
            UPDATE library_imports SET pruning_since = COALESCE(pruning_since, \(now.moment))
            WHERE user_id = \(userID) AND id = \(id.key) AND pruned_at IS NULL
                AND state IN ('complete', 'failed', 'undone')
            """) > 0
    }

    /// Deletes some of the rows that record what an import added and skipped. The import itself stays in the list.
    ///
    /// What it added is kept permanently, even if a later import that added the same is undone.
    /// ``beginPruning(_:userID:at:)`` must be called first, in its own transaction.
    ///
    /// - Returns: the number of deleted rows; 0 if none are left.
    package func prune(_ id: LibraryID, userID: String, limit: Int, at now: PruningTime) throws -> Int {
        let items = try transaction.map(
            """
            SELECT item, item_id FROM library_import_items
            WHERE user_id = \(userID) AND import_id = \(id.key) ORDER BY item, item_id LIMIT \(limit)
            """
        ) { (kind: try $0["item"] as String, id: try $0["item_id"] as Int64) }
        for (kind, items) in Dictionary(grouping: items, by: \.kind) {
            // Playlists that were already known are counted in the import's message, and are kept no matter what is
            // undone.
            let own: SQL = kind == "knownPlaylist" ? "AND import_id = \(id.key)" : ""
            for part in items.map(\.id).inParts {
                try transaction.run(
                    """
                    DELETE FROM library_import_items
                    WHERE user_id = \(userID) AND item = \(kind) AND item_id IN (\(list: part)) \(own)
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
            try transaction.run(
                """
                UPDATE library_imports SET pruned_at = \(now.moment) WHERE user_id = \(userID) AND id = \(id.key)
                """)
        }
        return count
    }
}
