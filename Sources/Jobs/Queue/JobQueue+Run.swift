import Contracts
import Model
import Storage

/// Why a job that was waited for brought no result.
package enum AwaitedJobError: Error, Sendable, Equatable {
    /// It did not end in time, or whoever asked went away. It is cancelled, unless others wait for it as well.
    case notInTime
    /// It became a dead letter.
    case failed(code: String, message: String)
    /// It was cancelled by somebody else, or is gone with its person.
    case cancelled
    /// It succeeded, with a result that is not what its kind declares.
    case unreadableResult
}

extension JobQueue {
    /// Has a worker do something that somebody waits for, and waits.
    ///
    /// Whoever is told that it was not done must not have it done behind their back: a job that has not ended in time,
    /// or whose caller's task is cancelled, is cancelled.
    ///
    /// - Parameters:
    ///   - limit: how long it may take, from its submission on.
    ///   - key: a unique key. Whoever asks with the same one meanwhile waits for the same job, which therefore nobody's
    ///     giving up cancels.
    /// - Throws: ``AwaitedJobError``, ``JobCodingError``, ``SubmissionError``, `StorageError`.
    package func run<Payload, Result>(
        _ kind: TypedJobKind<Payload, Result>, _ payload: Payload, for userID: String, within limit: Duration,
        sharedAs key: String? = nil
    ) async throws -> Result {
        let job = try NewJob(kind, payload, priority: JobPriority.interactive, uniqueKey: key)
        let id = try await write { transaction, submissions in
            try submissions.submit(job, userID: userID, in: transaction)
        }
        return try await result(of: kind, jobID: id, userID: userID, within: limit, isShared: key != nil)
    }

    /// As ``run(_:_:for:within:sharedAs:)``, with a payload that is made in the transaction which submits the job.
    ///
    /// - Parameter payload: writes what goes with the job and returns its payload; with `nil` nothing is submitted.
    /// - Returns: `nil` when nothing was submitted.
    /// - Throws: what `payload` throws, too; nothing is written then.
    package func run<Payload, Result>(
        _ kind: TypedJobKind<Payload, Result>, for userID: String, within limit: Duration,
        payload: @escaping @Sendable (WriteTransaction) throws -> Payload?
    ) async throws -> Result? {
        let id = try await write { transaction, submissions -> String? in
            guard let payload = try payload(transaction) else { return nil }
            let job = try NewJob(kind, payload, priority: JobPriority.interactive)
            return try submissions.submit(job, userID: userID, in: transaction)
        }
        guard let id else { return nil }
        return try await result(of: kind, jobID: id, userID: userID, within: limit, isShared: false)
    }

    private func result<Payload, Result>(
        of kind: TypedJobKind<Payload, Result>, jobID id: String, userID: String, within limit: Duration,
        isShared: Bool
    ) async throws -> Result {
        var isOurs = false
        var job = try await finished(id, userID: userID, within: limit)
        if job == nil, !isShared {
            // One that ended just before it was given up counts, too.
            job = try await cancel(id: id, userID: userID)
            isOurs = true
        }
        switch job?.state {
        case .succeeded:
            guard let text = job?.result, let result = try? kind.result(from: text) else {
                throw AwaitedJobError.unreadableResult
            }
            return result
        case .failed:
            throw AwaitedJobError.failed(code: job?.errorCode ?? "", message: job?.errorMessage ?? "")
        case .cancelled where isOurs: throw AwaitedJobError.notInTime
        case .cancelled: throw AwaitedJobError.cancelled
        default: throw isShared ? AwaitedJobError.notInTime : .cancelled
        }
    }
}
