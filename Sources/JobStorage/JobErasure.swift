import Model
import Storage

extension JobStore {
    /// A user's unfinished jobs, oldest first, with the size of the rows that are deleted when they end.
    package func unfinishedJobs(ofUser userID: String) throws -> [ErasureStep.Item] {
        let jobs: SQL = "FROM jobs WHERE user_id = \(userID) AND finished_at IS NULL ORDER BY id"
        return try transaction.map("SELECT id, " + diagnosticBytes + " AS bytes " + jobs) {
            .init(try $0["id"], bytes: try $0["bytes"])
        }
    }

    /// Jobs of other owners that are for a user.
    func jobs(onBehalfOf userID: String, limit: Int) throws -> [ErasureStep.Item] {
        try transaction.map("SELECT id FROM jobs WHERE on_behalf_of = \(userID) ORDER BY id LIMIT \(limit)") {
            .init(try $0["id"])
        }
    }

    /// The approximate number of bytes of jobs that are listed at once.
    private static var erasedBytes: Int { 4 << 20 }

    /// The approximate size of the rows that a `diagnostics.steps` job has written.
    private var diagnosticBytes: SQL {
        "(SELECT COUNT(*) FROM diagnostic_steps WHERE job_id = jobs.id) * \(Self.diagnosticStepBytes)"
    }

    /// The approximate size in bytes of a row of `diagnostic_steps` with its index entry.
    private static var diagnosticStepBytes: Int { 100 }

    /// A user's jobs in any state, oldest first.
    func jobs(ofUser userID: String, limit: Int) throws -> [ErasureStep.Item] {
        try erasedJobs("WHERE user_id = \(userID) ORDER BY id", limit: limit)
    }

    private func erasedJobs(_ condition: SQL, limit: Int) throws -> [ErasureStep.Item] {
        var (jobs, total): ([ErasureStep.Item], Int) = ([], 0)
        let bytes: SQL = """
            LENGTH(payload) + COALESCE(LENGTH(result), 0)
                + COALESCE((
                    SELECT CAST(SUM(LENGTH(error_message)) AS BIGINT) FROM job_attempts WHERE job_id = jobs.id), 0)
                + COALESCE((SELECT LENGTH(state) FROM job_checkpoints WHERE job_id = jobs.id), 0)
            """
        try transaction.forEachRow(
            "SELECT id, " + bytes + " + " + diagnosticBytes + " AS bytes FROM jobs " + condition + " LIMIT \(limit)"
        ) {
            let job = ErasureStep.Item(try $0["id"], bytes: try $0["bytes"])
            jobs.append(job)
            total += job.bytes
            return total < Self.erasedBytes ? .continue : .stop
        }
        return jobs
    }

    /// Whether a user has counters of jobs but no jobs.
    func hasOnlyJobCounts(userID: String) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM job_counts WHERE user_id = \(userID)
                AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.user_id = \(userID)) LIMIT 1
            """) != nil
    }

    /// Jobs of `owner`, such as those that serve everybody, that name a user. It reads all of the owner's jobs.
    func jobs(naming userID: String, owner: String, limit: Int) throws -> [ErasureStep.Item] {
        let pattern = "%\(userID)%"
        return try erasedJobs(
            """
            WHERE user_id = \(owner) AND (payload LIKE \(pattern) OR result LIKE \(pattern)
                OR unique_key LIKE \(pattern) OR error_message LIKE \(pattern)
                OR EXISTS (SELECT 1 FROM job_attempts WHERE job_id = jobs.id AND error_message LIKE \(pattern))
                OR EXISTS (SELECT 1 FROM job_checkpoints WHERE job_id = jobs.id AND state LIKE \(pattern)))
            """, limit: limit)
    }
}

extension JobStore where Access == WriteTransaction {
    /// Deletes a job in any state with the rows that belong to it. An active run writes nothing afterwards, since its
    /// statements are fenced by the job's row.
    package func eraseJob(id: String) throws {
        guard let job = try transaction.row("SELECT user_id, kind, state, submitted_bytes FROM jobs WHERE id = \(id)")
        else { return }
        let state: JobState = try job["state"]
        if !state.isFinished {
            submissionEnded(bytes: try job["submitted_bytes"], userID: try job["user_id"])
            try ended(id, userID: try job["user_id"], kind: try job["kind"], as: .erased, now: .now())
        }
        try transaction.run("DELETE FROM jobs WHERE id = \(id)")
        try transaction.run("DELETE FROM job_attempts WHERE job_id = \(id)")
        try dropCheckpoint(ofJob: id)
        try deleteDiagnosticSteps(ofJob: id)
        transaction.moved(.init(userID: try job["user_id"], kind: try job["kind"], from: state, to: nil))
    }

    /// Makes jobs of other owners that are for a user queue under their owners.
    func forgetPerson(_ userID: String, ofJobs ids: [String]) throws {
        for id in ids {
            // Each job gets a number of its own: the dispatcher reads the table in pages that end at a number.
            try transaction.run(
                """
                UPDATE jobs SET on_behalf_of = NULL, change = \(try transaction.nextChange())
                WHERE id = \(id) AND on_behalf_of = \(userID)
                """)
        }
    }

    /// Deletes the counters of a user who has no jobs. A transaction writes counters at its end, so this must not be
    /// the transaction that deletes the last job.
    package func eraseJobCounts(ofUser userID: String) throws {
        try transaction.run(
            """
            DELETE FROM job_counts WHERE user_id = \(userID)
                AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.user_id = \(userID))
            """)
    }
}
