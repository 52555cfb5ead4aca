import Contracts
import Logging
import Model
import Storage
import Synchronization

/// Hands jobs to workers: ``DispatchState`` with its database, its messages and its clock.
package final class Dispatcher: Sendable {
    let state: Mutex<DispatchState>
    let schedule = Mutex(DueJobs())
    let progress = Mutex<[String: RunProgress]>([:])
    let database: Database
    let events: JobEvents
    let settings: JobSettings
    let logger: Logger
    private let sender = Mutex<Sender?>(nil)

    /// How a frame reaches a worker. A type of its own, because a bare closure in a generic box gains
    /// a layer of conversion with each access.
    private struct Sender: Sendable {
        let send: @Sendable (_ frame: [UInt8], _ epoch: String) -> Void
    }

    private let claimQueue = Mutex(ClaimQueue())

    /// Hand-outs that wait for the write of those before them.
    private struct ClaimQueue {
        var waiting: [DispatchAction.Claim] = []
        var isWriting = false
    }

    /// The last change of the table that was looked at.
    let seenChange = Mutex<Int64>(0)
    /// The last change that event streams were told of by the slow poll.
    let toldChange = Mutex<Int64>(0)

    package init(database: Database, events: JobEvents, settings: JobSettings, logger: Logger) {
        self.database = database
        self.events = events
        self.settings = settings
        self.logger = logger
        state = Mutex(DispatchState(settings: settings, now: .now()))
    }

    /// Hands over how a frame reaches a worker (its epoch). The call must not block.
    package func connect(_ send: @escaping @Sendable ([UInt8], String) -> Void) {
        sender.withLock { $0 = Sender(send: send) }
    }

    /// Takes a frame in from the messaging thread.
    package func receive(_ frame: [UInt8], from epoch: String) {
        do {
            let message = try WorkerMessage(decoding: frame)
            perform { $0.receive(message, from: epoch, now: .now()) }
        } catch {
            logger.warning("a frame could not be read", metadata: ["worker": "\(epoch)", "reason": "\(error)"])
        }
    }

    // MARK: Submissions

    /// Marks jobs that a worker has room for as claimed by it; its place is kept until ``inserted(_:)``
    /// or ``unreserve(_:)``.
    func reserveClaims(for jobs: inout [JobInsertion]) {
        let now = MonotonicInstant.now()
        state.withLock { state in
            for index in jobs.indices where jobs[index].state == .queued {
                let kind = KindVersion(kind: jobs[index].kind, version: jobs[index].version)
                guard let worker = state.reserve(kind: kind) else { continue }
                jobs[index].claim = .init(worker: worker, leaseExpiresAt: now.advanced(by: settings.lease))
            }
        }
    }

    func unreserve(_ jobs: [JobInsertion]) {
        perform { state in
            var actions: [DispatchAction] = []
            for job in jobs {
                if let claim = job.claim { actions += state.unreserve(worker: claim.worker, now: .now()) }
            }
            return actions
        }
    }

    /// Jobs are durable in the table: those claimed are sent, the others wait.
    package func inserted(_ jobs: [JobInsertion]) {
        guard !jobs.isEmpty else { return }
        let now = MonotonicInstant.now()
        var claims: [(claim: DispatchAction.Claim, job: HandedJob)] = []
        var waiting: [ReadyJob] = []
        for job in jobs {
            var ready = ReadyJob(
                id: job.id, userID: job.userID, kind: KindVersion(kind: job.kind, version: job.version),
                priority: job.priority, since: now)
            switch job.state {
            case .running:
                guard let claim = job.claim else { continue }
                let handed = HandedJob(
                    run: JobRun(jobID: job.id, run: 1), userID: job.userID, kind: job.kind, version: job.version,
                    attempt: 1, maximumAttempts: job.maximumAttempts, priority: job.priority, payload: job.payload)
                claims.append((.init(job: ready, worker: claim.worker), handed))
            case .scheduled:
                schedule.withLock { $0.insert(id: job.id, at: job.runAt) }
            default:
                if job.payload.utf8.count <= ReadyJob.Parcel.maximumPayload {
                    ready.parcel = .init(payload: job.payload, maximumAttempts: job.maximumAttempts)
                }
                waiting.append(ready)
            }
        }
        let expiry = now.advanced(by: settings.lease)
        perform { state in
            state.claimsCommitted(claims, missing: [], expiry: expiry, now: now) + state.enqueue(waiting, now: now)
        }
        for user in Set(jobs.map(\.userID)) where user != SystemUser.id {
            events.changed(jobID: nil, userID: user)
        }
    }

    func cancelled(_ job: CancelledJob, userID: String) {
        perform { $0.cancelled(job.run, userID: userID, worker: job.worker, now: .now()) }
    }

    /// A system job that nobody waits for any more was cancelled by its domain.
    package func cancelledBySystem(_ job: CancelledJob) {
        cancelled(job, userID: SystemUser.id)
    }

    /// How far a job's run has come, as its worker last said.
    package func progress(ofJob id: String) -> RunProgress? {
        progress.withLock { $0[id] }
    }

    // MARK: Doing what the state asks for

    /// Runs a step of the state machine. Messages leave within its lock, so that they keep their order.
    func perform(_ step: (inout DispatchState) -> [DispatchAction]) {
        let rest = state.withLock { state in
            let sender = sender.withLock { $0 }
            return step(&state).filter { action in
                guard case .send(let message, let worker) = action else { return true }
                sender?.send(message.encoded(), worker)
                return false
            }
        }
        for action in rest { perform(action) }
    }

    private func perform(_ action: DispatchAction) {
        switch action {
        case .send: break
        case .claim(let claims): commit(claims)
        case .release(let releases): commit(releases)
        case .extend(let runs): extend(runs)
        case .changed(let jobs):
            progress.withLock { progress in
                if !progress.isEmpty { for job in jobs { progress[job.id] = nil } }
            }
            for job in jobs {
                // What a system job did may concern anybody.
                events.changed(jobID: job.id, userID: job.userID == SystemUser.id ? nil : job.userID)
            }
        case .progress(let runs):
            let users = state.withLock { state in
                runs.map { run in state.workers.values.lazy.compactMap { $0.held[run.run.jobID] }.first?.job.userID }
            }
            progress.withLock { for run in runs { $0[run.run.jobID] = run } }
            for (run, user) in zip(runs, users) {
                if let user { events.progressed(run, userID: user) }
            }
        case .lookAtTable: lookAtTable()
        case .schedule(let id, let at): schedule.withLock { $0.insert(id: id, at: at) }
        case .log(let message): logger.info("\(message)")
        }
    }

    /// Writes hand-outs, one transaction's worth at a time: what comes in meanwhile goes into the next.
    private func commit(_ claims: [DispatchAction.Claim]) {
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
        let expiry = MonotonicInstant.now().advanced(by: settings.lease)
        database.enqueueWrite(isPlain: true) { transaction in
            let now = Timestamp.now()
            return try claims.map { try $0.commit(in: transaction, leaseExpiresAt: expiry, now: now) }
        } completion: { [self] result in
            switch result {
            case .success(let rows):
                var made: [(claim: DispatchAction.Claim, job: HandedJob)] = []
                var missing: [DispatchAction.Claim] = []
                for (claim, row) in zip(claims, rows) {
                    if let row { made.append((claim, row)) } else { missing.append(claim) }
                }
                perform { $0.claimsCommitted(made, missing: missing, expiry: expiry, now: .now()) }
                for (claim, _) in made where claim.job.userID != SystemUser.id {
                    events.changed(jobID: nil, userID: claim.job.userID)
                }
            case .failure(let error):
                logger.error("jobs could not be handed out", metadata: ["error": "\(error)"])
                // They still wait in the table; the slow poll brings them back.
                perform { $0.claimsCommitted([], missing: claims, expiry: expiry, now: .now()) }
                seenChange.withLock { $0 = 0 }
            }
            writeClaims()
        }
    }

    private func commit(_ releases: [DispatchAction.Release]) {
        database.enqueueWrite { transaction in
            let now = Timestamp.now()
            return try releases.map { release in
                if release.job.crashes + release.weight >= CrashLedger.limit {
                    _ = try transaction.fail(
                        release.run, userID: release.job.userID, code: "poison",
                        message: "Its worker died each time this job ran alone, so it was set aside. "
                            + "Look at the workers' logs for the cause, then requeue it.",
                        retryAt: nil, now: now)
                    return false
                }
                return try transaction.release(
                    release.run, afterCrash: release.afterCrash, crashWeight: release.weight)
            }
        } completion: { [self] result in
            switch result {
            case .success(let isQueued):
                let now = MonotonicInstant.now()
                let ready = zip(releases, isQueued).filter(\.1).map { release, _ in
                    var job = release.job
                    job.isSuspect = job.isSuspect || release.afterCrash
                    job.crashes += release.weight
                    job.since = now
                    return job
                }
                perform { $0.enqueue(ready, now: now) }
                perform(.changed(releases.map { .init(id: $0.run.jobID, userID: $0.job.userID) }))
            case .failure(StorageError.closed):
                return
            case .failure(let error):
                logger.error("lost runs could not be released", metadata: ["error": "\(error)"])
                // Their rows still say running, and nobody but this gateway would ever change that.
                Task {
                    try? await Task.sleep(for: .seconds(1))
                    commit(releases)
                }
            }
        }
    }

    private func extend(_ runs: [JobRun]) {
        let now = MonotonicInstant.now()
        let (expiry, margin) = (now.advanced(by: settings.lease), now.advanced(by: settings.lease / 2))
        database.enqueueWrite {
            try $0.extendLeases(of: runs, until: expiry, margin: margin)
        } completion: { [logger] result in
            if case .failure(let error) = result {
                logger.warning("leases were not extended", metadata: ["error": "\(error)"])
            }
        }
    }
}

extension DispatchAction.Claim {
    /// Writes the claim; `nil` when the job no longer waits.
    fileprivate func commit(
        in transaction: WriteTransaction, leaseExpiresAt expiry: MonotonicInstant, now: Timestamp
    ) throws -> HandedJob? {
        if let parcel = job.parcel,
            try transaction.claimFirst(
                jobID: job.id, userID: job.userID, worker: worker, leaseExpiresAt: expiry, now: now)
        {
            return HandedJob(
                run: JobRun(jobID: job.id, run: 1), userID: job.userID, kind: job.kind.kind, version: job.kind.version,
                attempt: 1, maximumAttempts: parcel.maximumAttempts, priority: job.priority, payload: parcel.payload)
        }
        // It may have been handed out and have come back since the parcel was made.
        return try transaction.claim(jobID: job.id, worker: worker, leaseExpiresAt: expiry, now: now)
            .map(HandedJob.init)
    }
}

extension HandedJob {
    init(_ job: ClaimedJob) {
        self.init(
            run: job.run, userID: job.userID, kind: job.kind, version: job.version, attempt: job.attempt,
            maximumAttempts: job.maximumAttempts, priority: job.priority, payload: job.payload)
    }
}

/// A connected worker, for operators.
package struct WorkerSummary: Sendable {
    package var name: String
    package var processID: Int32
    /// How many jobs it holds.
    package var held: Int
    /// How many more it can take.
    package var free: Int
    package var isDraining: Bool
}

extension Dispatcher {
    /// Who is connected, by name.
    package var workers: [WorkerSummary] {
        state.withLock { state in
            state.workers.values.map {
                WorkerSummary(
                    name: $0.introduction.name, processID: $0.introduction.processID, held: $0.held.count, free: $0.free,
                    isDraining: $0.isDraining)
            }
        }.sorted { $0.name < $1.name }
    }
}
