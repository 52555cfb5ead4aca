import Model

extension JobStore {
    /// Ids of a user's jobs that have not ended, oldest first.
    package func unfinishedJobs(ofUser userID: String, limit: Int) throws -> [String] {
        try transaction.rows(
            "SELECT id FROM jobs WHERE user_id = \(userID) AND finished_at IS NULL ORDER BY id LIMIT \(limit)"
        ).map { try $0["id"] }
    }

    /// Ids of a user's jobs, whatever their state, oldest first.
    func jobs(ofUser userID: String, limit: Int) throws -> [String] {
        try transaction.rows("SELECT id FROM jobs WHERE user_id = \(userID) ORDER BY id LIMIT \(limit)").map {
            try $0["id"]
        }
    }

    /// Jobs of others that queue under a user.
    func jobs(onBehalfOf userID: String, limit: Int) throws -> [String] {
        try transaction.rows(
            "SELECT id FROM jobs WHERE on_behalf_of = \(userID) ORDER BY id LIMIT \(limit)"
        ).map { try $0["id"] }
    }

    /// Whether a user has counters and no jobs.
    func hasOnlyJobCounts(userID: String) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM job_counts WHERE user_id = \(userID)
                AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.user_id = \(userID)) LIMIT 1
            """) != nil
    }

    /// Jobs of others, such as those done for everybody, that name a user. It looks at all of that owner's jobs.
    func jobs(naming userID: String, owner: String, limit: Int) throws -> [String] {
        let pattern = "%\(userID)%"
        return try transaction.rows(
            """
            SELECT id FROM jobs WHERE user_id = \(owner) AND (payload LIKE \(pattern) OR result LIKE \(pattern)
                OR unique_key LIKE \(pattern) OR error_message LIKE \(pattern)
                OR EXISTS (SELECT 1 FROM job_attempts WHERE job_id = jobs.id AND error_message LIKE \(pattern))
                OR EXISTS (SELECT 1 FROM job_checkpoints WHERE job_id = jobs.id AND state LIKE \(pattern)))
            LIMIT \(limit)
            """
        ).map { try $0["id"] }
    }
}

extension JobStore where Access == WriteTransaction {
    /// Deletes a job, whatever its state, with what belongs to it. Of a run that is under way nothing is written
    /// afterwards, since each of its statements looks for the job's row.
    package func eraseJob(id: String) throws {
        guard let job = try transaction.row("SELECT user_id, kind, state, submitted_bytes FROM jobs WHERE id = \(id)")
        else { return }
        let state: JobState = try job["state"]
        if !state.isFinished {
            submissionEnded(bytes: try job["submitted_bytes"], userID: try job["user_id"])
            try ended(id, userID: try job["user_id"], kind: try job["kind"], as: .erased, now: .now())
        }
        try transaction.execute("DELETE FROM jobs WHERE id = \(id)")
        try transaction.execute("DELETE FROM job_attempts WHERE job_id = \(id)")
        try dropCheckpoint(ofJob: id)
        try deleteDiagnosticSteps(ofJob: id)
        transaction.moved(.init(userID: try job["user_id"], kind: try job["kind"], from: state, to: nil))
    }

    /// Has jobs of others that queue under a user queue under their owners.
    func forgetPerson(_ userID: String, ofJobs ids: [String]) throws {
        let change = try transaction.nextChange()
        for id in ids {
            try transaction.execute(
                """
                UPDATE jobs SET on_behalf_of = NULL, change = \(change) WHERE id = \(id) AND on_behalf_of = \(userID)
                """)
        }
    }

    /// Deletes the counters of a user who has no jobs. They are brought up to date at the end of a transaction, so
    /// that this has to be another one than that of the last job.
    package func eraseJobCounts(ofUser userID: String) throws {
        try transaction.execute(
            """
            DELETE FROM job_counts WHERE user_id = \(userID)
                AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.user_id = \(userID))
            """)
    }
}
