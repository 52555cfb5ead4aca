import Contracts
import Model
import Storage

/// The jobs that one transaction puts into the table; the dispatcher hears of them once it is durable.
package struct JobSubmissions: Sendable {
    private(set) var jobs: [JobInsertion] = []

    private let maximumAttempts: Int
    private let trace: String?
    private let quotas: Quotas

    /// - Parameters:
    ///   - maximumAttempts: the most attempts of each job whose kind says nothing else.
    ///   - trace: the trace id of the request that asks for them.
    ///   - quotas: of those who submit jobs themselves.
    package init(maximumAttempts: Int, trace: String?, quotas: Quotas = Quotas()) {
        self.maximumAttempts = maximumAttempts
        self.trace = trace
        self.quotas = quotas
    }

    package var isEmpty: Bool { jobs.isEmpty }

    /// Inserts a job, unless its unique key belongs to an unfinished one; returns the id of either.
    ///
    /// - Throws: ``SubmissionError``; `QuotaReached`, which has to undo the transaction's part.
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
