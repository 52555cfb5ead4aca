import Model

private let submittedBytesOfJob = ConstantSQL("SELECT submitted_bytes FROM jobs WHERE id = ?")

private let countsOfUser = ConstantSQL("SELECT jobs, bytes FROM submission_counts WHERE user_id = ?")

/// How many jobs a person submitted that have not ended, and how many bytes their payloads have together.
package struct SubmissionUse: Sendable, Equatable {
    package var jobs: Int
    package var bytes: Int

    package static let none = SubmissionUse(jobs: 0, bytes: 0)

    package init(jobs: Int, bytes: Int) {
        self.jobs = jobs
        self.bytes = bytes
    }

    static func += (left: inout SubmissionUse, right: SubmissionUse) {
        left.jobs += right.jobs
        left.bytes += right.bytes
    }

    static prefix func - (use: SubmissionUse) -> SubmissionUse {
        SubmissionUse(jobs: -use.jobs, bytes: -use.bytes)
    }
}

extension JobStore {
    /// What a person's submissions take, from a counter that is written with each transaction in which they move.
    package func submissionUse(ofUser userID: String) throws -> SubmissionUse {
        let row = try transaction.row("SELECT jobs, bytes FROM submission_counts WHERE user_id = \(userID)")
        return try row.map { SubmissionUse(jobs: try $0["jobs"], bytes: try $0["bytes"]) } ?? .none
    }

    /// Whom counters of submissions are kept of.
    package func submitters() throws -> [String] {
        try transaction.rows("SELECT user_id FROM submission_counts ORDER BY user_id").map { try $0["user_id"] }
    }

    /// What a person's unfinished submissions take beyond what their counter says; reads all their unfinished jobs.
    package func submissionCountError(ofUser userID: String) throws -> SubmissionUse {
        let row = try transaction.row(
            """
            SELECT COUNT(submitted_bytes) AS jobs, CAST(COALESCE(SUM(submitted_bytes), 0) AS BIGINT) AS bytes
            FROM jobs
            WHERE user_id = \(userID) AND \(JobRecord.isLive)
            """)
        var error = try row.map { SubmissionUse(jobs: try $0["jobs"], bytes: try $0["bytes"]) } ?? .none
        error += -(try submissionUse(ofUser: userID))
        return error
    }

    /// Whether a user has a counter of submissions and no jobs.
    func hasOnlySubmissionCounts(userID: String) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM submission_counts WHERE user_id = \(userID)
                AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.user_id = \(userID))
            """) != nil
    }
}

extension JobStore where Access == WriteTransaction {
    /// What keeps a person from submitting jobs; `nil` when nothing does. The transaction's own writes count, so that of
    /// two that come at once the second knows of the first.
    ///
    /// - Parameter jobs: what is about to be inserted. Those that no person submits are passed over.
    package func quotaReached(
        by jobs: some Sequence<JobInsertion>, userID: String, quotas: Quotas
    ) throws -> QuotaReached? {
        var further = SubmissionUse.none
        for case let bytes? in jobs.lazy.map(\.submittedBytes) { further += SubmissionUse(jobs: 1, bytes: bytes) }
        return try quotaReached(by: further, userID: userID, quotas: quotas)
    }

    /// What keeps a person from having a dead letter queued again; `nil` when nothing does, or when it is none.
    package func quotaReached(
        byRequeueing jobID: String, userID: String, quotas: Quotas
    ) throws -> QuotaReached? {
        let dead = try transaction.row(
            "SELECT submitted_bytes FROM jobs WHERE id = \(jobID) AND user_id = \(userID) AND state = 'failed'")
        guard let bytes: Int = try dead?["submitted_bytes"] else { return nil }
        return try quotaReached(by: SubmissionUse(jobs: 1, bytes: bytes), userID: userID, quotas: quotas)
    }

    private func quotaReached(
        by further: SubmissionUse, userID: String, quotas: Quotas
    ) throws -> QuotaReached? {
        guard further.jobs > 0, quotas.unfinishedJobs != nil || quotas.unfinishedBytes != nil else { return nil }
        let use = try transaction.submissionUse(ofUser: userID) {
            let row = try transaction.rows(countsOfUser, [userID.sqlValue]).first
            return try row.map { SubmissionUse(jobs: try $0["jobs"], bytes: try $0["bytes"]) } ?? .none
        }
        if let limit = quotas.unfinishedJobs, use.jobs + further.jobs > limit {
            return QuotaReached(.unfinishedJobs, limit: limit, used: use.jobs, asked: further.jobs)
        }
        if let limit = quotas.unfinishedBytes, use.bytes + further.bytes > limit {
            return QuotaReached(.unfinishedBytes, limit: limit, used: use.bytes, asked: further.bytes)
        }
        return nil
    }

    /// A job that was not finished has ended for good: it takes nothing more of its person's quotas, if it did.
    ///
    /// The row is read for it: only the row knows whether a person submitted the job. That is a fifth of what the
    /// statement costs which ends the job and has just read the same page.
    func submissionEnded(_ jobID: String, userID: String) throws {
        // Nobody submits what is the system's.
        guard userID != SystemUser.id,
            let bytes: Int = try transaction.rows(submittedBytesOfJob, [jobID.sqlValue]).first?["submitted_bytes"]
        else { return }
        submissionEnded(bytes: bytes, userID: userID)
    }

    /// - Parameter bytes: the row's `submitted_bytes`; `nil` where no person submitted it.
    func submissionEnded(bytes: Int?, userID: String) {
        guard let bytes else { return }
        transaction.submitted(-SubmissionUse(jobs: 1, bytes: bytes), userID: userID)
    }

    /// - Parameter bytes: the row's `submitted_bytes`; `nil` where no person submitted it.
    func submissionBegan(bytes: Int?, userID: String) {
        guard let bytes else { return }
        transaction.submitted(SubmissionUse(jobs: 1, bytes: bytes), userID: userID)
    }

    /// Adds to a person's counter what it is wrong by.
    package func correctSubmissions(by error: SubmissionUse, ofUser userID: String) {
        transaction.submitted(error, userID: userID)
    }

    /// Deletes the counter of a user who has no jobs; like ``eraseJobCounts(ofUser:)`` in another transaction than that
    /// of the last job.
    func eraseSubmissionCounts(ofUser userID: String) throws {
        try transaction.execute(
            """
            DELETE FROM submission_counts WHERE user_id = \(userID)
                AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.user_id = \(userID))
            """)
    }
}
