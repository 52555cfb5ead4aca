import Model
import Storage

/// Queries for ephemeral jobs, which have an index of their own.
extension JobStore {
    /// A user's unfinished jobs of a kind that a screen submitted.
    package func unfinishedEphemeralJobs(userID: String, kind: String, screen: String) throws -> [String] {
        try transaction.rows(
            """
            SELECT id FROM jobs WHERE user_id = \(userID) AND kind = \(kind) AND screen = \(screen)
                AND \(JobRecord.isEphemeral) AND \(JobRecord.isLive)
            """
        ).map { try $0["id"] }
    }

    /// Ephemeral jobs that were submitted before `cutoff` and either have not ended or also ended before it, and those
    /// that were submitted or ended after `future`, while the clock was ahead.
    package func ephemeralJobs(
        before cutoff: Timestamp, after future: Timestamp, limit: Int
    ) throws -> [(id: String, userID: String, isFinished: Bool)] {
        // The condition on the user is true for every row, and COALESCE hides the condition of the index on ended jobs,
        // so that SQLite chooses the index on ephemeral jobs.
        try transaction.rows(
            """
            SELECT id, user_id, finished_at FROM jobs
            WHERE user_id >= '' AND \(JobRecord.isEphemeral)
                AND (created_at < \(cutoff) AND COALESCE(finished_at, 0) < \(cutoff)
                    OR created_at > \(future) OR COALESCE(finished_at, 0) > \(future))
            LIMIT \(limit)
            """
        ).map { (try $0["id"], try $0["user_id"], try $0["finished_at"] as Timestamp? != nil) }
    }
}
