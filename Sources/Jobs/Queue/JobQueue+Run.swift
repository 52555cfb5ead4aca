import Contracts
import Model
import Storage

/// Why a job that was waited for brought no result.
package enum AwaitedJobError: Error, Sendable, Equatable {
    /// It did not end in time, or whoever asked went away. It is cancelled, unless others wait for it as well.
    case notInTime
    /// It became a dead letter.
    case failed(code: String, message: String)
    /// It was cancelled by somebody else, such as a newer question of the same screen, or is gone with its person.
    case cancelled
    /// It succeeded, with a result that is not what its kind declares.
    case unreadableResult
}

extension JobQueue {
    /// Has a worker do something that somebody waits for, and waits.
    ///
    /// Whoever is told that it was not done must not have it done behind their back: a job that has not ended in time,
    /// or whose caller's task is cancelled, is cancelled. So is one that cannot be looked at, if the database takes
    /// that.
    ///
    /// - Parameters:
    ///   - limit: how long it may take, from its submission on.
    ///   - screen: of an ephemeral kind: an unfinished job of the same person, kind and screen is cancelled with the
    ///     transaction that submits this one.
    /// - Throws: ``AwaitedJobError``, ``JobCodingError``, `StorageError`.
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

    /// As ``run(_:_:for:within:screen:)``, with a payload that is made in the transaction which submits the job.
    ///
    /// - Parameter payload: writes what goes with the job and returns its payload; with `nil` nothing is submitted.
    /// - Returns: `nil` when nothing was submitted.
    /// - Throws: what `payload` throws, too; nothing is written then.
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

    /// As ``run(_:_:for:within:screen:)``, for what several may ask for at once.
    ///
    /// - Parameter key: a unique key. Whoever asks with the same one meanwhile waits for the same job, which therefore
    ///   nobody's giving up cancels.
    /// - Throws: ``SubmissionError``, too.
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

    /// A write that submits a job, and cancels what the same screen asked for before.
    private func write<Payload, Result, Value: Sendable>(
        superseding screen: ScreenID?, _ kind: TypedJobKind<Payload, Result>, userID: String,
        _ body: @escaping @Sendable (WriteTransaction, inout JobSubmissions) throws -> Value
    ) async throws -> Value {
        guard let screen else { return try await write(body) }
        precondition(kind.kind.isEphemeral, "Only ephemeral kinds are asked for by screens")
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

    private func result<Payload, Result>(
        of kind: TypedJobKind<Payload, Result>, jobID id: String, userID: String, within limit: Duration,
        isShared: Bool
    ) async throws -> Result {
        var isOurs = false
        var job: JobRecord?
        do {
            job = try await finished(id, userID: userID, within: limit)
        } catch {
            // Nobody waits for it any more, either.
            if !isShared { await giveUp(id, userID: userID) }
            throw error
        }
        if job == nil, !isShared {
            // One that ended just before it was given up counts, too.
            job = try await cancelAwaited(id: id, userID: userID)
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

    /// Cancels a job whose row could not be read, without reading more of it than that takes; as far as the database
    /// lets it.
    private func giveUp(_ id: String, userID: String) async {
        let cancelled = try? await database.write { try $0.jobs.cancel(jobID: id, userID: userID, now: .now()) }
        if let cancelled { dispatcher.cancelled(cancelled, userID: userID) }
    }
}
