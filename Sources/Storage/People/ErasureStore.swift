import Model

extension SQLReader {
    /// Ids of a user's jobs that have not ended, oldest first.
    package func unfinishedJobs(ofUser userID: String, limit: Int) throws -> [String] {
        try rows(
            "SELECT id FROM jobs WHERE user_id = \(userID) AND finished_at IS NULL ORDER BY id LIMIT \(limit)"
        ).map { try $0["id"] }
    }

    /// People of whom rows are left though they are gone: a request that was under way when they were erased
    /// may have written some, and a process may have died while it erased them.
    ///
    /// - Parameter exempt: the owner of what is done for everybody.
    package func goneUsersWithRows(exempt: String, limit: Int) throws -> [String] {
        try rows(
            """
            SELECT user_id FROM (
                SELECT user_id FROM job_counts UNION SELECT user_id FROM ranked_artists
                UNION SELECT user_id FROM concert_searches UNION SELECT user_id FROM change_log
            ) AS owners
            WHERE user_id <> \(exempt) AND NOT EXISTS (SELECT 1 FROM users WHERE users.id = owners.user_id)
            LIMIT \(limit)
            """
        ).map { try $0["user_id"] }
    }

    /// Jobs of others, such as those done for everybody, that name a user.
    package func jobs(naming userID: String, owner: String) throws -> [String] {
        let pattern = "%\(userID)%"
        return try rows(
            """
            SELECT id FROM jobs WHERE user_id = \(owner) AND (payload LIKE \(pattern) OR result LIKE \(pattern)
                OR unique_key LIKE \(pattern) OR error_message LIKE \(pattern))
            """
        ).map { try $0["id"] }
    }
}

extension WriteTransaction {
    /// Deletes a user and what is theirs, but for jobs. Tokens, sessions and sign-in links go with the user's row.
    package func deleteUser(id: String) throws {
        try execute("DELETE FROM ranked_artists WHERE user_id = \(id)")
        try execute(
            """
            DELETE FROM concert_search_subjects
            WHERE search_id IN (SELECT id FROM concert_searches WHERE user_id = \(id))
            """)
        try execute("DELETE FROM concert_searches WHERE user_id = \(id)")
        try execute("DELETE FROM idempotency_keys WHERE user_id = \(id)")
        try execute("DELETE FROM change_log WHERE user_id = \(id)")
        try execute("DELETE FROM users WHERE id = \(id)")
    }

    /// Deletes jobs of a user, whatever their state, with their attempts; returns how many. Of a run that is under
    /// way nothing is written afterwards, since each of its statements looks for the job's row.
    package func eraseJobs(ofUser userID: String, limit: Int) throws -> Int {
        let ids: [String] = try rows("SELECT id FROM jobs WHERE user_id = \(userID) ORDER BY id LIMIT \(limit)")
            .map { try $0["id"] }
        for id in ids { try eraseJob(id: id) }
        return ids.count
    }

    package func eraseJob(id: String) throws {
        guard let job = try row("SELECT user_id, kind, state FROM jobs WHERE id = \(id)") else { return }
        let state: JobState = try job["state"]
        if !state.isFinished {
            try ended(id, userID: try job["user_id"], kind: try job["kind"], as: .erased, now: .now())
        }
        try execute("DELETE FROM jobs WHERE id = \(id)")
        try execute("DELETE FROM job_attempts WHERE job_id = \(id)")
        try dropCheckpoint(ofJob: id)
        moved(.init(userID: try job["user_id"], kind: try job["kind"], from: state, to: nil))
    }

    /// Deletes the counters of a user who has no jobs. They are brought up to date at the end of a transaction, so
    /// that this has to be another one than that of the last job.
    package func eraseJobCounts(ofUser userID: String) throws {
        try execute(
            """
            DELETE FROM job_counts WHERE user_id = \(userID)
                AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.user_id = \(userID))
            """)
    }
}
