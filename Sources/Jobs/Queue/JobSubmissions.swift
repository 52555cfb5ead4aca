import Contracts
import JobStorage
import Model
import Storage

/// Submits jobs within a transaction of a domain. The dispatcher learns of them once the transaction is durable.
package struct JobSubmissions: Sendable {
    private(set) var jobs: [JobInsertion] = []

    private let maximumAttempts: Int
    private let trace: String?
    private let quotas: Quotas

    /// - Parameters:
    ///   - maximumAttempts: the most attempts of jobs whose kind sets no limit.
    ///   - trace: the trace id of the request.
    ///   - quotas: the limits for jobs that a person submits.
    package init(maximumAttempts: Int, trace: String?, quotas: Quotas = Quotas()) {
        self.maximumAttempts = maximumAttempts
        self.trace = trace
        self.quotas = quotas
    }

    package var isEmpty: Bool { jobs.isEmpty }

    /// Inserts a job, unless an unfinished job has its unique key.
    ///
    /// - Returns: the id of the inserted or the unfinished job.
    /// - Throws: ``SubmissionError``; `QuotaReached`, after which the caller has to roll back its writes.
    @discardableResult
    package mutating func submit(_ job: NewJob, userID: String, in transaction: WriteTransaction) throws -> String {
        if let key = job.uniqueKey, let holder = try transaction.jobs.holder(ofUniqueKey: key, userID: userID) {
            guard holder.fingerprint == job.fingerprint else {
                throw SubmissionError.uniqueKeyReused(jobID: holder.id)
            }
            return holder.id
        }
        let insertion = job.insertion(userID: userID, maximumAttempts: maximumAttempts, trace: trace, now: .now())
        if let reached = try transaction.jobs.quotaReached(by: [insertion], userID: userID, quotas: quotas) {
            throw reached
        }
        try transaction.jobs.insert(insertion)
        jobs.append(insertion)
        return insertion.id
    }
}
