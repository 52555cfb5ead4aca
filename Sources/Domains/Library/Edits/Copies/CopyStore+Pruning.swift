import Model
import Storage

/// A copy whose rows are to be deleted.
package struct UnprunedCopy: Sendable, Hashable {
    let userID: String
    let id: Int64
    let finishedAt: Timestamp
}

extension CopyStore {
    /// Copies that ended before a moment, earliest first.
    ///
    /// - Parameter last: the copy to start after; `nil` starts with the earliest one.
    package func unpruned(
        finishedBefore cutoff: PruningTime, after last: UnprunedCopy? = nil, limit: Int
    ) throws -> [UnprunedCopy] {
        let place: SQL =
            last.map { "AND (finished_at, user_id, id) > (\($0.finishedAt), \($0.userID), \($0.id))" } ?? ""
        return try transaction.map(
            """
            SELECT user_id, id, finished_at FROM library_copies
            WHERE finished_at IS NOT NULL AND finished_at < \(cutoff.moment)
                AND state IN ('complete', 'failed') \(place)
            ORDER BY finished_at, user_id, id LIMIT \(limit)
            """
        ) { UnprunedCopy(userID: try $0["user_id"], id: try $0["id"], finishedAt: try $0["finished_at"]) }
    }
}

extension CopyStore where Access == WriteTransaction {
    /// Deletes some of the rows of a copy. The playlists that copies created are kept, and so are the songs that users
    /// have chosen.
    ///
    /// - Parameter limit: the maximum number of rows to delete.
    /// - Returns: the number of deleted rows; 0 if none are left.
    package func prune(_ copy: UnprunedCopy, limit: Int) throws -> Int {
        let count = try transaction.execute(
            """
            DELETE FROM library_copy_entries
            WHERE user_id = \(copy.userID) AND copy_id = \(copy.id) AND position IN (
                SELECT position FROM library_copy_entries
                WHERE user_id = \(copy.userID) AND copy_id = \(copy.id) ORDER BY position LIMIT \(limit))
            """)
        guard count < limit else { return count }
        let isDeleted =
            try transaction.execute(
                """
                DELETE FROM library_copies
                WHERE user_id = \(copy.userID) AND id = \(copy.id) AND state IN ('complete', 'failed')
                """) > 0
        if isDeleted {
            try transaction.recordGone(.libraryCopy, ids: [LibraryID(key: copy.id).text], userID: copy.userID)
        }
        return count + (isDeleted ? 1 : 0)
    }
}
