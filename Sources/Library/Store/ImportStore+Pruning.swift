import Model
import Storage

/// An import whose rows are to be deleted.
package struct UnprunedImport: Sendable, Hashable {
    package let userID: String
    package let id: LibraryID
    let finishedAt: Timestamp
}

extension ImportStore {
    /// Imports that ended before a moment and whose rows are still kept, the earliest first.
    ///
    /// - Parameter last: begins after this one; `nil` begins with the earliest.
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
    /// Decides that an import can no longer be undone, before the first of its rows is deleted: one of which some are
    /// gone would be undone in part.
    ///
    /// - Returns: whether its rows are to be deleted; an import that is being undone keeps them.
    package func beginPruning(_ id: LibraryID, userID: String, at now: PruningTime) throws -> Bool {
        try transaction.execute(
            """
            UPDATE library_imports SET pruning_since = COALESCE(pruning_since, \(now.moment))
            WHERE user_id = \(userID) AND id = \(id.key) AND pruned_at IS NULL
                AND state IN ('complete', 'failed', 'undone')
            """) > 0
    }

    /// Deletes some of the rows that tell what an import brought and what it skipped. The import itself stays in the
    /// list.
    ///
    /// What it brought stays for good, also where a later import that brought the same is undone. Call
    /// ``beginPruning(_:userID:at:)`` first, in a transaction of its own.
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
            // Playlists that were known are counted in the import's message, and stay whatever is undone.
            let own: SQL = kind == "knownPlaylist" ? "AND import_id = \(id.key)" : ""
            for part in items.map(\.id).inParts {
                try transaction.execute(
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
            try transaction.execute(
                """
                UPDATE library_imports SET pruned_at = \(now.moment) WHERE user_id = \(userID) AND id = \(id.key)
                """)
        }
        return count
    }
}
