import Contracts
import Model
import Storage
import Telemetry

/// What the gateway does with jobs on behalf of people: submit, cancel, requeue, wait.
package struct JobQueue: Sendable {
    package let database: Database
    package let dispatcher: Dispatcher
    package let events: JobEvents
    /// What each person may use.
    package let quotas: Quotas

    package init(database: Database, dispatcher: Dispatcher, events: JobEvents, quotas: Quotas = Quotas()) {
        self.database = database
        self.dispatcher = dispatcher
        self.events = events
        self.quotas = quotas
    }

    /// The answer to a submission.
    package struct Accepted: Sendable {
        /// In the order of the request; an id may be that of a job that was there before.
        package var ids: [String]
        /// The jobs as they were inserted; empty when an idempotency key answered.
        package var inserted: [JobInsertion]
        /// Waits for the end of the first of `inserted`, when that was asked for.
        package var waiter: JobWaiter?
    }

    /// Accepts jobs, all of them or none; they are durable when this returns.
    ///
    /// - Parameter expectsWait: a waiter for the first job is made before it is written, so that its end
    ///   cannot be missed.
    /// - Throws: ``SubmissionError``, `QuotaReached`, ``StorageError``.
    package func submit(
        _ jobs: [NewJob], userID: String, idempotencyKey: IdempotencyKey? = nil, expectsWait: Bool = false
    ) async throws -> Accepted {
        let now = Timestamp.now()
        let trace = LogContext.current?.trace
        let mayBeThere = idempotencyKey != nil || jobs.contains { $0.uniqueKey != nil }
        // What may not be inserted takes no places.
        let claims = mayBeThere ? [] : dispatcher.reserveClaims(for: jobs, userID: userID, now: now)
        let insertions = jobs.indices.map { index in
            jobs[index].insertion(
                userID: userID, maximumAttempts: dispatcher.settings.maximumAttempts, trace: trace,
                claim: mayBeThere ? nil : claims[index], now: now)
        }
        let waiter = expectsWait ? insertions.first.map { events.waiter(forJob: $0.id) } : nil
        if mayBeThere {
            var accepted = try await submitOnce(insertions, userID: userID, idempotencyKey: idempotencyKey)
            if accepted.inserted.count == jobs.count { accepted.waiter = waiter }
            return accepted
        }
        do {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                database.enqueueWrite(isPlain: true) { transaction -> QuotaReached? in
                    // Told, not thrown: an error would send all that came in with it into transactions of their own.
                    if let reached = try transaction.jobs.quotaReached(
                        by: insertions, userID: userID, quotas: quotas)
                    {
                        return reached
                    }
                    try transaction.jobs.insert(insertions)
                    return nil
                } completion: { result in
                    if case .success(nil) = result { dispatcher.inserted(insertions) }
                    continuation.resume(with: result.flatMap { reached in reached.map { .failure($0) } ?? .success(()) })
                }
            }
        } catch {
            dispatcher.unreserve(insertions)
            throw error
        }
        return Accepted(ids: insertions.map(\.id), inserted: insertions, waiter: waiter)
    }

    private func submitOnce(
        _ insertions: [JobInsertion], userID: String, idempotencyKey: IdempotencyKey?
    ) async throws -> Accepted {
        let accepted = try await database.write { transaction in
            let earlier = try idempotencyKey?.answer(for: userID, in: transaction) {
                try transaction.jobs.hasAny(of: $0, userID: userID)
            }
            if let earlier { return Accepted(ids: earlier, inserted: []) }
            func checkQuotas(of jobs: [JobInsertion]) throws {
                if let reached = try transaction.jobs.quotaReached(by: jobs, userID: userID, quotas: quotas) {
                    throw reached
                }
            }
            // Most that is too much is refused before anything is written.
            try checkQuotas(of: insertions.filter { $0.uniqueKey == nil })
            var accepted = Accepted(ids: [], inserted: [])
            for insertion in insertions {
                if let key = insertion.uniqueKey,
                    let holder = try transaction.jobs.holder(ofUniqueKey: key, userID: userID)
                {
                    guard holder.fingerprint == insertion.fingerprint else {
                        throw SubmissionError.uniqueKeyReused(jobID: holder.id)
                    }
                    accepted.ids.append(holder.id)
                    continue
                }
                try checkQuotas(of: [insertion])
                try transaction.jobs.insert(insertion)
                accepted.ids.append(insertion.id)
                accepted.inserted.append(insertion)
            }
            if let idempotencyKey {
                try transaction.jobs.rememberIdempotentAnswer(
                    key: idempotencyKey.key, userID: userID, fingerprint: idempotencyKey.fingerprint,
                    resourceIDs: accepted.ids, now: .now())
            }
            return accepted
        }
        dispatcher.inserted(accepted.inserted)
        return accepted
    }

    /// A domain's write that may submit jobs; they are handed out once it is durable.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction, inout JobSubmissions) throws -> Value
    ) async throws -> Value {
        let (maximumAttempts, trace) = (dispatcher.settings.maximumAttempts, LogContext.current?.trace)
        let (value, submissions) = try await database.write { transaction in
            var submissions = JobSubmissions(maximumAttempts: maximumAttempts, trace: trace, quotas: quotas)
            let value = try body(transaction, &submissions)
            return (value, submissions)
        }
        dispatcher.inserted(submissions.jobs)
        return value
    }

    /// Cancels a job that is not finished.
    ///
    /// - Returns: the job as it stands now; `nil` when the user has none of that id.
    package func cancel(id: String, userID: String) async throws -> JobRecord? {
        let (cancelled, job) = try await database.write { transaction -> (CancelledJob?, JobRecord?) in
            guard try transaction.jobs.job(id: id, userID: userID) != nil else { return (nil, nil) }
            let cancelled = try transaction.jobs.cancel(jobID: id, userID: userID, now: .now())
            return (cancelled, try transaction.jobs.job(id: id, userID: userID))
        }
        if let cancelled { dispatcher.cancelled(cancelled, userID: userID) }
        return job
    }

    /// Gives a dead letter all its attempts again.
    ///
    /// - Parameter isByOwner: whether the person asks whose it is, and not an administrator, whom nobody's quotas
    ///   concern.
    /// - Returns: whether it was one, and the job as it stands now; `nil` when the user has none of that id.
    /// - Throws: ``SubmissionError/uniqueKeyReused(jobID:)`` when an unfinished job has its unique key by now;
    ///   ``SubmissionError/notRequeueable`` when others act on its end already; `QuotaReached`.
    package func requeue(
        id: String, userID: String, isByOwner: Bool = true
    ) async throws -> (wasFailed: Bool, job: JobRecord)? {
        let result = try await database.write { transaction -> (wasFailed: Bool, job: JobRecord)? in
            guard try transaction.jobs.job(id: id, userID: userID) != nil else { return nil }
            if let successor = try transaction.jobs.successor(ofDeadLetter: id, userID: userID) {
                throw SubmissionError.uniqueKeyReused(jobID: successor)
            }
            if isByOwner,
                let reached = try transaction.jobs.quotaReached(byRequeueing: id, userID: userID, quotas: quotas)
            {
                throw reached
            }
            let wasFailed: Bool
            do {
                wasFailed = try transaction.jobs.requeue(jobID: id, userID: userID, now: .now())
            } catch is JobNotRequeueable {
                throw SubmissionError.notRequeueable
            }
            guard let job = try transaction.jobs.job(id: id, userID: userID) else { return nil }
            return (wasFailed, job)
        }
        if result?.wasFailed == true { dispatcher.lookAtTable() }
        return result
    }
}
