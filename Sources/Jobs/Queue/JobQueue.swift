import Contracts
import JobStorage
import Model
import Storage
import Telemetry

/// Submits, cancels and requeues jobs for people, and waits for their ends.
package struct JobQueue: Sendable {
    package let database: Database
    package let dispatcher: Dispatcher
    package let events: JobEvents
    /// The limits for each person.
    package let quotas: Quotas
    /// Tracks who waits for jobs that callers share.
    package let sharedWaits = SharedWaits()

    /// All kinds of jobs.
    package var kinds: JobKinds { dispatcher.kinds }

    package init(database: Database, dispatcher: Dispatcher, events: JobEvents, quotas: Quotas = Quotas()) {
        self.database = database
        self.dispatcher = dispatcher
        self.events = events
        self.quotas = quotas
    }

    /// The answer to a submission.
    package struct Submission: Sendable {
        /// The job ids, in the order of the request. An id may be that of a job that existed before.
        package var ids: [String]
        /// The inserted jobs; empty when an idempotency key was used before.
        package var inserted: [JobInsertion]
        /// Waits for the end of the first inserted job, if requested.
        package var waiter: JobWaiter?
    }

    /// Inserts jobs, all of them or none. They are durable when this returns.
    ///
    /// - Parameter expectsWait: whether to make a waiter for the first job, before the job is written, so that its end
    ///   cannot be missed.
    /// - Throws: ``SubmissionError``, `QuotaReached`, ``StorageError``.
    package func submit(
        _ jobs: [NewJob], userID: String, idempotencyKey: IdempotencyKey? = nil, expectsWait: Bool = false
    ) async throws -> Submission {
        let now = Timestamp.now()
        let trace = LogContext.current?.trace
        let mayBeThere = idempotencyKey != nil || jobs.contains { $0.uniqueKey != nil }
        // Jobs that may already exist reserve no places.
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
                    // Returned, not thrown: an error would have every entry of the batch run again in a transaction of
                    // its own.
                    if let reached = try transaction.jobs.quotaReached(
                        by: insertions, userID: userID, quotas: quotas)
                    {
                        return reached
                    }
                    try transaction.jobs.insert(insertions)
                    return nil
                } completion: { result in
                    if case .success(nil) = result { dispatcher.inserted(insertions) }
                    continuation.resume(
                        with: result.flatMap { reached in reached.map { .failure($0) } ?? .success(()) })
                }
            }
        } catch {
            dispatcher.unreserve(insertions)
            throw error
        }
        return Submission(ids: insertions.map(\.id), inserted: insertions, waiter: waiter)
    }

    private func submitOnce(
        _ insertions: [JobInsertion], userID: String, idempotencyKey: IdempotencyKey?
    ) async throws -> Submission {
        let accepted = try await database.write { transaction in
            func checkQuotas(of jobs: [JobInsertion]) throws {
                if let reached = try transaction.jobs.quotaReached(by: jobs, userID: userID, quotas: quotas) {
                    throw reached
                }
            }
            var inserted: [JobInsertion] = []
            let ids = try transaction.once(idempotencyKey, userID: userID) { ids in
                try transaction.jobs.hasAny(of: ids, userID: userID)
            } make: {
                // Refuses most submissions that exceed a quota before anything is written.
                try checkQuotas(of: insertions.filter { $0.uniqueKey == nil })
                return try insertions.map { insertion in
                    if let key = insertion.uniqueKey,
                        let holder = try transaction.jobs.holder(ofUniqueKey: key, userID: userID)
                    {
                        guard holder.fingerprint == insertion.fingerprint else {
                            throw SubmissionError.uniqueKeyReused(jobID: holder.id)
                        }
                        return holder.id
                    }
                    try checkQuotas(of: [insertion])
                    try transaction.jobs.insert(insertion)
                    inserted.append(insertion)
                    return insertion.id
                }
            }
            return Submission(ids: ids, inserted: inserted)
        }
        dispatcher.inserted(accepted.inserted)
        return accepted
    }

    /// Runs a domain's write that may submit jobs. They are handed out once the write is durable.
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

    /// Cancels a job that has not ended.
    ///
    /// - Returns: the job as it is now; `nil` when the user has no job of that id.
    package func cancel(id: String, userID: String) async throws -> JobRecord? {
        let (cancelled, job) = try await database.write { transaction -> (CancelledJob?, JobRecord?) in
            guard try transaction.jobs.job(id: id, userID: userID) != nil else { return (nil, nil) }
            let cancelled = try transaction.jobs.cancel(jobID: id, userID: userID, now: .now())
            return (cancelled, try transaction.jobs.job(id: id, userID: userID))
        }
        if let cancelled { dispatcher.cancelled(cancelled, userID: userID) }
        return job
    }

    /// Queues a dead letter again, with its full number of attempts.
    ///
    /// - Parameter isByOwner: whether the owner makes the request, so that their quotas apply; administrators may
    ///   exceed them.
    /// - Returns: whether the job was a dead letter, and the job as it is now; `nil` when the user has no job of that
    ///   id.
    /// - Throws: ``SubmissionError/uniqueKeyReused(jobID:)`` when an unfinished job has taken its unique key;
    ///   ``SubmissionError/notRequeueable`` when the rows of its end cannot be undone; `QuotaReached`.
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
        if result?.wasFailed == true { dispatcher.pollTableSoon() }
        return result
    }
}
