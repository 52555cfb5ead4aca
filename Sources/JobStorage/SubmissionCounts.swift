import Model
import Storage

private let submittedBytesOfJob = ConstantSQL("SELECT submitted_bytes FROM jobs WHERE id = ?")

private let countsOfUser = ConstantSQL("SELECT jobs, bytes FROM submission_counts WHERE user_id = ?")

/// The number of a person's submitted and unfinished jobs, and the bytes of their payloads.
package struct SubmissionUse: Sendable, AdditiveArithmetic {
    package var jobs: Int
    package var bytes: Int

    package static let zero = SubmissionUse(jobs: 0, bytes: 0)

    package init(jobs: Int, bytes: Int) {
        self.jobs = jobs
        self.bytes = bytes
    }

    package static func + (left: SubmissionUse, right: SubmissionUse) -> SubmissionUse {
        SubmissionUse(jobs: left.jobs + right.jobs, bytes: left.bytes + right.bytes)
    }

    package static func - (left: SubmissionUse, right: SubmissionUse) -> SubmissionUse {
        SubmissionUse(jobs: left.jobs - right.jobs, bytes: left.bytes - right.bytes)
    }
}

extension JobStore {
    /// The use of a person's quotas, from a counter.
    package func submissionUse(ofUser userID: String) throws -> SubmissionUse {
        let row = try transaction.row("SELECT jobs, bytes FROM submission_counts WHERE user_id = \(userID)")
        return try row.map { SubmissionUse(jobs: try $0["jobs"], bytes: try $0["bytes"]) } ?? .zero
    }

    /// The users who have a counter of submissions.
    package func submitters() throws -> [String] {
        try transaction.rows("SELECT user_id FROM submission_counts ORDER BY user_id").map { try $0["user_id"] }
    }

    /// By how much the rows of a person's unfinished submissions exceed the counter. It reads all their unfinished
    /// jobs.
    package func submissionCountError(ofUser userID: String) throws -> SubmissionUse {
        let row = try transaction.row(
            """
            SELECT COUNT(submitted_bytes) AS jobs, CAST(COALESCE(SUM(submitted_bytes), 0) AS BIGINT) AS bytes
            FROM jobs
            WHERE user_id = \(userID) AND \(JobRecord.isLive)
            """)
        let unfinished = try row.map { SubmissionUse(jobs: try $0["jobs"], bytes: try $0["bytes"]) } ?? .zero
        return unfinished - (try submissionUse(ofUser: userID))
    }

    /// Whether a user has a counter of submissions but no jobs.
    func hasOnlySubmissionCounts(userID: String) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM submission_counts WHERE user_id = \(userID)
                AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.user_id = \(userID))
            """) != nil
    }
}

extension JobStore where Access == WriteTransaction {
    /// The quota that inserting jobs would exceed; `nil` if none. The writes of the same batch count, so that of two
    /// simultaneous submissions the second one takes the first into account.
    ///
    /// - Parameter jobs: the jobs to insert. Jobs that are not submitted by a person do not count.
    package func quotaReached(
        by jobs: some Sequence<JobInsertion>, userID: String, quotas: Quotas
    ) throws -> QuotaReached? {
        var further = SubmissionUse.zero
        for case let bytes? in jobs.lazy.map(\.submittedBytes) { further += SubmissionUse(jobs: 1, bytes: bytes) }
        return try quotaReached(by: further, userID: userID, quotas: quotas)
    }

    /// The quota that requeueing a dead letter would exceed; `nil` if none, or if the job is not a dead letter.
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
            return try row.map { SubmissionUse(jobs: try $0["jobs"], bytes: try $0["bytes"]) } ?? .zero
        }
        if let limit = quotas.unfinishedJobs, use.jobs + further.jobs > limit {
            return QuotaReached(.unfinishedJobs, limit: limit, used: use.jobs, asked: further.jobs)
        }
        if let limit = quotas.unfinishedBytes, use.bytes + further.bytes > limit {
            return QuotaReached(.unfinishedBytes, limit: limit, used: use.bytes, asked: further.bytes)
        }
        return nil
    }

    /// Counts the end of an unfinished job, if a person submitted it.
    ///
    /// It reads the row, since only the row shows whether a person submitted the job. That costs a fifth of the
    /// statement that has just ended the job and read the same page.
    func submissionEnded(_ jobID: String, userID: String) throws {
        // People do not submit system jobs.
        guard userID != SystemUser.id,
            let bytes: Int = try transaction.rows(submittedBytesOfJob, [jobID.sqlValue]).first?["submitted_bytes"]
        else { return }
        submissionEnded(bytes: bytes, userID: userID)
    }

    /// Counts the end of an unfinished job.
    ///
    /// - Parameter bytes: the row's `submitted_bytes`; `nil` if no person submitted the job.
    func submissionEnded(bytes: Int?, userID: String) {
        guard let bytes else { return }
        transaction.submitted(.zero - SubmissionUse(jobs: 1, bytes: bytes), userID: userID)
    }

    /// Counts an inserted or requeued job.
    ///
    /// - Parameter bytes: the row's `submitted_bytes`; `nil` if no person submitted the job.
    func submissionBegan(bytes: Int?, userID: String) {
        guard let bytes else { return }
        transaction.submitted(SubmissionUse(jobs: 1, bytes: bytes), userID: userID)
    }

    /// Corrects a person's counter by `error` (``submissionCountError(ofUser:)``).
    package func correctSubmissions(by error: SubmissionUse, ofUser userID: String) {
        transaction.submitted(error, userID: userID)
    }

    /// Deletes the counter of a user who has no jobs. As with ``eraseJobCounts(ofUser:)``, this must not be the
    /// transaction that deletes the last job.
    func eraseSubmissionCounts(ofUser userID: String) throws {
        try transaction.run(
            """
            DELETE FROM submission_counts WHERE user_id = \(userID)
                AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.user_id = \(userID))
            """)
    }
}
