import Contracts
import JobStorage
import Model
import Storage

/// Why an awaited job brought no result.
package enum JobWaitError: Error, Sendable, Equatable {
    /// It did not end in time, or the caller's task was cancelled. The job is cancelled unless others may wait for it.
    case notInTime
    /// It became a dead letter.
    case failed(code: String, message: String)
    /// Another request cancelled it, such as a newer one from the same screen, or its person was erased.
    case cancelled
    /// It succeeded, but its kind cannot decode the result.
    case unreadableResult
}

extension JobQueue {
    /// How long a request waits for a worker that queries an upstream about something a person entered.
    package static let upstreamAnswerTimeout = Duration.seconds(15)

    /// Submits a job with interactive priority, and waits for its result.
    ///
    /// If a caller learns that something was not done, it must not be done later. So the job is cancelled when it does
    /// not end in time, when the caller's task is cancelled, and when its row cannot be read.
    ///
    /// - Parameters:
    ///   - limit: how long the job may take, from its submission on.
    ///   - screen: the requesting screen, for an ephemeral kind. The transaction that submits this job cancels an
    ///     unfinished one of the same person, kind and screen.
    /// - Throws: ``JobWaitError``, ``JobCodingError``, `StorageError`.
    package func run<Payload, Result>(
        _ kind: TypedJobKind<Payload, Result>, _ payload: Payload, for userID: String, within limit: Duration,
        screen: ScreenID? = nil
    ) async throws -> Result {
        let job = try newJob(kind, payload, screen: screen)
        let id = try await write(superseding: screen, kind, userID: userID) { transaction, submissions in
            try submissions.submit(job, userID: userID, in: transaction)
        }
        return try await result(of: kind, jobID: id, userID: userID, within: limit, isShared: false)
    }

    /// Like ``run(_:_:for:within:screen:)``, with a payload that is made in the transaction that submits the job.
    ///
    /// - Parameter payload: writes rows that belong to the job and returns its payload; `nil` submits nothing.
    /// - Returns: `nil` when nothing was submitted.
    /// - Throws: also what `payload` throws; nothing is written then.
    package func run<Payload, Result>(
        _ kind: TypedJobKind<Payload, Result>, for userID: String, within limit: Duration, screen: ScreenID? = nil,
        payload: @escaping @Sendable (WriteTransaction) throws -> Payload?
    ) async throws -> Result? {
        let id = try await write(superseding: screen, kind, userID: userID) { transaction, submissions -> String? in
            guard let payload = try payload(transaction) else { return nil }
            return try submissions.submit(
                try newJob(kind, payload, screen: screen), userID: userID, in: transaction)
        }
        guard let id else { return nil }
        return try await result(of: kind, jobID: id, userID: userID, within: limit, isShared: false)
    }

    /// Like ``run(_:_:for:within:screen:)``, for a job for which several callers may wait.
    ///
    /// - Parameter key: a unique key. Callers with the same key wait for the same job, which is therefore not cancelled
    ///   when one of them stops waiting.
    /// - Throws: also ``SubmissionError``.
    package func run<Payload, Result>(
        _ kind: TypedJobKind<Payload, Result>, _ payload: Payload, for userID: String, within limit: Duration,
        sharedAs key: String
    ) async throws -> Result {
        let job = try NewJob(kind, payload, priority: JobPriority.interactive, uniqueKey: key)
        let id = try await write { transaction, submissions in
            try submissions.submit(job, userID: userID, in: transaction)
        }
        return try await result(of: kind, jobID: id, userID: userID, within: limit, isShared: true)
    }

    private func newJob<Payload, Result>(
        _ kind: TypedJobKind<Payload, Result>, _ payload: Payload, screen: ScreenID?
    ) throws -> NewJob {
        var job = try NewJob(kind, payload, priority: JobPriority.interactive)
        job.screen = screen
        return job
    }

    /// Runs a write that submits a job, and cancels the screen's earlier job.
    private func write<Payload, Result, Value: Sendable>(
        superseding screen: ScreenID?, _ kind: TypedJobKind<Payload, Result>, userID: String,
        _ body: @escaping @Sendable (WriteTransaction, inout JobSubmissions) throws -> Value
    ) async throws -> Value {
        guard let screen else { return try await write(body) }
        precondition(kind.kind.isEphemeral, "Only jobs of ephemeral kinds have a screen")
        let (value, superseded) = try await write { transaction, submissions in
            let earlier = try transaction.jobs.unfinishedEphemeralJobs(
                userID: userID, kind: kind.kind.name, screen: screen.text)
            let value = try body(transaction, &submissions)
            let isAsked = !submissions.isEmpty
            let superseded =
                try isAsked
                ? earlier.compactMap {
                    try transaction.jobs.cancel(jobID: $0, userID: userID, now: .now())
                } : []
            return (value, superseded)
        }
        for job in superseded { dispatcher.cancelled(job, userID: userID) }
        return value
    }

    /// Waits for a submitted job.
    ///
    /// - Parameter isShared: whether others may wait for it, so that it is not cancelled with this wait.
    func result<Payload, Result>(
        of kind: TypedJobKind<Payload, Result>, jobID id: String, userID: String, within limit: Duration,
        isShared: Bool
    ) async throws -> Result {
        var isOurs = false
        var job: JobRecord?
        do {
            job = try await finished(id, userID: userID, within: limit)
        } catch {
            // Nobody waits for it then, either.
            if !isShared { await giveUp(id, userID: userID) }
            throw error
        }
        if job == nil, !isShared {
            // A job that ended just before it was cancelled counts.
            job = try await cancelAwaited(id: id, userID: userID)
            isOurs = true
        }
        switch job?.state {
        case .succeeded:
            guard let text = job?.result, let result = try? kind.result(from: text) else {
                throw JobWaitError.unreadableResult
            }
            return result
        case .failed:
            throw JobWaitError.failed(code: job?.errorCode ?? "", message: job?.errorMessage ?? "")
        case .cancelled where isOurs: throw JobWaitError.notInTime
        case .cancelled: throw JobWaitError.cancelled
        default: throw isShared ? JobWaitError.notInTime : .cancelled
        }
    }

    /// Cancels a job whose row could not be read, if the database allows, and without reading the whole row.
    private func giveUp(_ id: String, userID: String) async {
        let cancelled = try? await database.write { try $0.jobs.cancel(jobID: id, userID: userID, now: .now()) }
        if let cancelled { dispatcher.cancelled(cancelled, userID: userID) }
    }
}
