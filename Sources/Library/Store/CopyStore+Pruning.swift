import Model
import Storage

extension CopyStore where Access == WriteTransaction {
    /// Deletes some of the rows of the earliest copy that ended before a moment. The playlists that copies made stay, and
    /// so does what people have chosen for songs.
    ///
    /// - Parameter limit: the most rows.
    /// - Returns: the number of deleted rows; 0 when none is left.
    package func prune(finishedBefore cutoff: PruningTime, limit: Int) throws -> Int {
        guard
            let copy = try transaction.row(
                """
                SELECT user_id, id FROM library_copies
                WHERE finished_at IS NOT NULL AND finished_at < \(cutoff.moment)
                    AND state IN ('complete', 'failed')
                ORDER BY finished_at LIMIT 1
                """)
        else { return 0 }
        let (userID, id): (String, Int64) = (try copy["user_id"], try copy["id"])
        let count = try transaction.execute(
            """
            DELETE FROM library_copy_entries
            WHERE user_id = \(userID) AND copy_id = \(id) AND position IN (
                SELECT position FROM library_copy_entries
                WHERE user_id = \(userID) AND copy_id = \(id) ORDER BY position LIMIT \(limit))
            """)
        guard count < limit else { return count }
        return count
            + (try transaction.execute("DELETE FROM library_copies WHERE user_id = \(userID) AND id = \(id)"))
    }
}
