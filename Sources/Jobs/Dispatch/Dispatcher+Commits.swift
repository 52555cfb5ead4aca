import Contracts
import JobStorage
import Logging
import Model
import Storage

/// Writes claims and releases to the table, and reports to the state machine what was written.
extension Dispatcher {
    /// Writes claims, one transaction at a time. Claims that arrive meanwhile go into the next one.
    func commit(_ claims: [DispatchAction.Claim]) {
        let isIdle = claimQueue.withLock { queue in
            defer { queue.isWriting = true }
            queue.waiting += claims
            return !queue.isWriting
        }
        if isIdle { writeClaims() }
    }

    private func writeClaims() {
        let claims = claimQueue.withLock { queue in
            defer { queue.waiting = [] }
            queue.isWriting = !queue.waiting.isEmpty
            return queue.waiting
        }
        guard !claims.isEmpty else { return }
        write(claims) { self.writeClaims() }
    }

    /// - Parameter next: called when the next claims may be written.
    private func write(_ claims: [DispatchAction.Claim], then next: @escaping @Sendable () -> Void) {
        let expiry = MonotonicInstant.now().advanced(by: settings.lease)
        // No other write of claims fills their workers meanwhile: only one runs at a time.
        let maximumBytes = state.withLock { $0.beginWrite(of: claims) }
        database.enqueueWrite(isPlain: true) { transaction in
            let now = Timestamp.now()
            var rows: [AssignedJob?] = []
            rows.reserveCapacity(claims.count)
            var bytes = 0
            for claim in claims where bytes < maximumBytes {
                let row = try claim.commit(in: transaction, leaseExpiresAt: expiry, now: now)
                bytes += row?.payload.utf8.count ?? 0
                rows.append(row)
            }
            return rows
        } completion: { [self] result in
            switch result {
            case .success(let rows):
                var made: [(claim: DispatchAction.Claim, job: AssignedJob)] = []
                var missing: [DispatchAction.Claim] = []
                for (claim, row) in zip(claims, rows) {
                    if let row { made.append((claim, row)) } else { missing.append(claim) }
                }
                let now = MonotonicInstant.now()
                perform { state in
                    state.endWrite()
                    return state.claimsCommitted(
                        made, missing: missing, rest: claims[rows.count...], expiry: expiry, now: now)
                }
                metrics.dispatched(made.lazy.map(\.claim.job), at: now)
                events.changed(users: made.lazy.map(\.claim.job.userID).withoutAdjacentDuplicates)
                next()
            case .failure(StorageError.closed):
                // The process is exiting. The next claims would fail as well, each in the completion of the one before.
                return
            case .failure(let error) where claims.count > 1 && (error as? StorageError)?.mayPass == false:
                // One row that cannot be read or written must not delay the others.
                state.withLock { $0.endWrite() }
                let middle = claims.count / 2
                write(Array(claims[..<middle])) { self.write(Array(claims[middle...]), then: next) }
            case .failure(let error):
                state.withLock { $0.endWrite() }
                claimsFailed(claims, error: error, then: next)
            }
        }
    }

    /// Keeps the places of failed claims reserved for a second, after which their jobs wait again. Places that were
    /// freed at once would go to the next jobs, whose claims would fail as well, and so on through the whole queue.
    private func claimsFailed(
        _ claims: [DispatchAction.Claim], error: any Error, then next: @escaping @Sendable () -> Void
    ) {
        logger.log(
            level: .error, "jobs could not be handed out; retrying in a second",
            metadata: ["error": "\(error)"], throttle: throttles.writes)
        let isOfAll = (error as? StorageError)?.mayPass == true
        Task {
            try? await Task.sleep(for: Self.slowPoll)
            let now = MonotonicInstant.now()
            perform { isOfAll ? $0.putBack(claims, now: now) : $0.appendAgain(claims, now: now) }
            if isOfAll { next() }
        }
        if !isOfAll { next() }
    }

    func commit(_ releases: [DispatchAction.Release]) {
        database.enqueueWrite { transaction in
            let now = Timestamp.now()
            return try releases.map { release -> JobMetrics.Outcome? in
                if let reason = try release.quarantineReason(in: transaction) {
                    let isQuarantined = try transaction.jobs.fail(
                        release.run, userID: release.job.userID, kind: release.job.kind.kind, code: reason.rawValue,
                        message: reason.message, retryAt: nil, now: now)
                    return isQuarantined ? .poison : nil
                }
                let isQueued = try transaction.jobs.release(
                    release.run, afterCrash: release.afterCrash, crashWeight: release.weight,
                    crashGroup: release.group, isOutage: release.isOutage, now: now)
                return isQueued ? .released : nil
            }
        } completion: { [self] result in
            switch result {
            case .success(let outcomes):
                for (release, outcome) in zip(releases, outcomes) {
                    if let outcome { metrics.ended(kind: release.job.kind.kind, outcome) }
                }
                let now = MonotonicInstant.now()
                let ready = zip(releases, outcomes).filter { $0.1 == .released }.map { release, _ in
                    var job = release.job
                    job.lastRun = release.run.run
                    job.group = release.group ?? job.group
                    job.ranAtOutage = job.ranAtOutage || release.isOutage
                    job.crashes += release.weight
                    job.since = now
                    return job
                }
                perform { $0.enqueue(ready, now: now) }
                perform(.changed(releases.map { .init(id: $0.run.jobID, userID: $0.job.userID) }))
            case .failure(StorageError.closed):
                return
            case .failure(let error) where releases.count > 1 && (error as? StorageError)?.mayPass == false:
                // One row must not keep the worker's other runs from being released.
                let middle = releases.count / 2
                commit(Array(releases[..<middle]))
                commit(Array(releases[middle...]))
            case .failure(let error):
                logger.log(
                    level: .error, "runs of a lost worker could not be released; retrying in a second",
                    metadata: ["error": "\(error)"], throttle: throttles.writes)
                // Their rows still have the state `running`, which only this gateway would ever change.
                Task {
                    try? await Task.sleep(for: .seconds(1))
                    commit(releases)
                }
            }
        }
    }
}

extension DispatchAction.Claim {
    /// Writes the claim; returns `nil` if the job no longer waits, or has run since it was read.
    fileprivate func commit(
        in transaction: WriteTransaction, leaseExpiresAt expiry: MonotonicInstant, now: Timestamp
    ) throws -> AssignedJob? {
        if let insertedRow = job.insertedRow, job.lastRun == 0 {
            let isClaimed = try transaction.jobs.claimFirst(
                jobID: job.id, userID: job.userID, kind: job.kind.kind, worker: worker, leaseExpiresAt: expiry,
                now: now)
            guard isClaimed else { return nil }
            return AssignedJob(
                run: JobRun(jobID: job.id, run: 1), userID: job.userID, kind: job.kind.kind, version: job.kind.version,
                attempt: 1, maximumAttempts: insertedRow.maximumAttempts, priority: job.priority,
                payload: insertedRow.payload,
                trace: insertedRow.trace, person: job.onBehalfOf)
        }
        return try transaction.jobs.claim(
            jobID: job.id, lastRun: job.lastRun, worker: worker, leaseExpiresAt: expiry, now: now
        ).map(AssignedJob.init)
    }
}

extension AssignedJob {
    convenience init(_ job: ClaimedJob) {
        self.init(
            run: job.run, userID: job.userID, kind: job.kind, version: job.version, attempt: job.attempt,
            maximumAttempts: job.maximumAttempts, priority: job.priority, payload: job.payload,
            trace: job.trace, person: job.onBehalfOf)
    }
}
