import Model

/// Jobs whose answer somebody waits for on a screen, found by their own index.
extension JobStore {
    /// A user's unfinished jobs of one kind that a screen has asked for.
    package func unfinishedEphemeralJobs(userID: String, kind: String, screen: String) throws -> [String] {
        try transaction.rows(
            """
            SELECT id FROM jobs WHERE user_id = \(userID) AND kind = \(kind) AND screen = \(screen)
                AND \(JobRecord.isEphemeral) AND \(JobRecord.isLive)
            """
        ).map { try $0["id"] }
    }

    /// Ephemeral jobs that were asked for before `cutoff` and have not ended, or did so before it too.
    package func ephemeralJobs(
        before cutoff: Timestamp, limit: Int
    ) throws -> [(id: String, userID: String, isFinished: Bool)] {
        // With a bound on the user, which every row keeps, and an expression that does not tell whether a job has
        // ended, their own index is chosen, and not that of all jobs that have.
        try transaction.rows(
            """
            SELECT id, user_id, finished_at FROM jobs
            WHERE user_id >= '' AND \(JobRecord.isEphemeral) AND created_at < \(cutoff)
                AND COALESCE(finished_at, 0) < \(cutoff)
            LIMIT \(limit)
            """
        ).map { (try $0["id"], try $0["user_id"], try $0["finished_at"] as Timestamp? != nil) }
    }
}
