import Contracts
import JobStorage
import Model
import Storage

/// The result of a job that several callers may have waited for.
package struct SharedResult<Result: Sendable>: Sendable {
    package var result: Result
    /// Whether this caller submitted the job; otherwise it joined another caller's job.
    package var isOwn: Bool
}

extension JobQueue {
    /// How often a caller retries if its job was cancelled just as it joined.
    private static let joinAttempts = 3

    /// Waits for the result of an ephemeral job shared by callers with the same question: it joins the unfinished job
    /// with the key, or submits one with interactive priority.
    ///
    /// The job is cancelled when nobody waits for it any longer: all callers have timed out, their tasks were
    /// cancelled, or their screens have requested something else.
    ///
    /// - Parameters:
    ///   - owner: the job's owner: `SystemUser.id` for a question that is the same for everybody.
    ///   - person: the person who asks, under whom a system job queues.
    ///   - key: a unique key of the owner's.
    ///   - screen: the requesting screen. It stops waiting for the job of this kind that it requested before.
    ///   - limit: how long the job may take.
    ///   - payload: decides, in the transaction that would submit the job, what it is; `nil` submits nothing.
    /// - Returns: `nil` when nothing was submitted.
    /// - Throws: ``JobWaitError``, with `cancelled` when the screen requested something else; ``JobCodingError``,
    ///   `StorageError`, and what `payload` throws.
    package func runShared<Payload, Result>(
        _ kind: TypedJobKind<Payload, Result>, ofUser owner: String, for person: String, key: String,
        screen: ScreenID?, within limit: Duration,
        payload: @escaping @Sendable (WriteTransaction) throws -> Payload?
    ) async throws -> SharedResult<Result>? {
        precondition(kind.kind.isEphemeral, "Only jobs of ephemeral kinds are cancelled with their last caller")
        let screen = screen.map { SharedWaits.Screen(userID: person, kind: kind.kind.name, id: $0) }
        var attempt = 1
        while true {
            let joined = try await write { transaction, submissions -> (id: String, isOwn: Bool)? in
                guard let payload = try payload(transaction) else { return nil }
                if let holder = try transaction.jobs.holder(ofUniqueKey: key, userID: owner) {
                    try transaction.jobs.raisePriority(
                        ofJob: holder.id, to: JobPriority.awaitedByOthers, forOthersThan: person)
                    return (holder.id, false)
                }
                var job = try NewJob(kind, payload, priority: JobPriority.interactive, uniqueKey: key)
                job.onBehalfOf = person == owner ? nil : person
                return (try submissions.submit(job, userID: owner, in: transaction), true)
            }
            guard let (id, isOwn) = joined else { return nil }
            let (wait, abandoned) = sharedWaits.enter(id, of: owner, screen: screen)
            if let abandoned { _ = try? await cancelAwaited(id: abandoned.jobID, userID: abandoned.userID) }
            do {
                let result = try await result(of: kind, jobID: id, userID: owner, within: limit, isShared: true)
                _ = sharedWaits.leave(wait)
                return SharedResult(result: result, isOwn: isOwn)
            } catch {
                let (isLast, isSuperseded) = sharedWaits.leave(wait)
                if isLast { _ = try? await cancelAwaited(id: id, userID: owner) }
                // Between joining and waiting, the other callers may have left and the job may have been cancelled.
                guard error as? JobWaitError == .cancelled, !isSuperseded, attempt < Self.joinAttempts else {
                    throw error
                }
                attempt += 1
            }
        }
    }
}
