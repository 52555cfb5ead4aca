import Contracts
import JobStorage
import Logging
import Model
import Storage
import Synchronization
import Telemetry

/// Hands jobs to workers: ``DispatchState`` with the database, the messages and the clock.
package final class Dispatcher: Sendable {
    let state: Mutex<DispatchState>
    let schedule = Mutex(DueJobs())
    let progress = Mutex<[String: RunProgress]>([:])
    let database: Database
    /// All kinds of jobs.
    package let kinds: JobKinds
    let events: JobEvents
    let settings: JobSettings
    let logger: Logger
    let metrics: JobMetrics
    let reports = Mutex(WorkerReports())
    let throttles = Throttles()
    private let sender = Mutex<Sender?>(nil)

    /// Sends frames to workers. It is a type because a bare closure in a generic box gains a layer of conversion with
    /// each access.
    private struct Sender: Sendable {
        let send: @Sendable (_ frame: [UInt8], _ instance: String) -> Void
    }

    /// Limits log lines that repeat while the database is unusable, or that a peer can provoke.
    struct Throttles {
        let frames = LogThrottle()
        let writes = LogThrottle()
        let leases = LogThrottle()
        let reads = LogThrottle()
    }

    let claimQueue = Mutex(ClaimQueue())

    /// Claims that wait while others are being written.
    struct ClaimQueue {
        var waiting: [DispatchAction.Claim] = []
        var isWriting = false
    }

    /// The polls of the table.
    let polls = Mutex(PollCoalescer())
    /// The number of the last change up to which waiting jobs were read from the table.
    let polledChange = Mutex<Int64>(0)
    /// The number of the last change up to which waiters and event streams were woken.
    let announcedChange = Mutex<Int64>(0)

    let audience: AuthorAudience

    /// - Parameter kinds: all kinds of jobs, whose limits on running jobs are enforced.
    package init(
        database: Database, events: JobEvents, settings: JobSettings, kinds: JobKinds,
        metrics: MetricRegistry = MetricRegistry(), logger: Logger
    ) {
        self.database = database
        self.kinds = kinds
        self.events = events
        self.settings = settings
        self.logger = logger
        self.metrics = JobMetrics(metrics)
        state = Mutex(DispatchState(settings: settings, kinds: kinds.all, now: .now()))
        let audience = AuthorAudience(database: database, events: events)
        self.audience = audience
        database.onChange { [weak events] in events?.changed(users: $0) }
        database.onChangeOfAuthors { [weak audience] in audience?.changed($0) }
        database.onChange(of: .credentials) { [weak events] in events?.endedCredentials(of: $0) }
    }

    /// Adds a function that finds those of the people with open streams who follow one of the authors.
    package func findFollowers(
        by followers:
            @escaping @Sendable (
                _ authors: Set<Int64>, _ people: Set<String>, _ reader: ReadTransaction
            ) throws -> Set<String>
    ) {
        audience.find(by: followers)
    }

    /// Sets the function that sends a frame to a worker, given its instance. It must not block.
    package func connect(_ send: @escaping @Sendable ([UInt8], String) -> Void) {
        sender.withLock { $0 = Sender(send: send) }
    }

    /// Handles a frame from a worker; called on the messaging thread.
    package func receive(_ frame: [UInt8], from instance: String) {
        do {
            let message = try WorkerMessage(decoding: frame)
            // Accepted from any sender: it does no harm if a stream reads and finds nothing new.
            if case .changed(let userIDs) = message { events.changed(users: userIDs) }
            perform { $0.receive(message, from: instance, now: .now()) }
        } catch {
            metrics.unreadableFrame()
            logger.log(
                level: .warning, "a frame could not be read and was ignored",
                metadata: ["worker": "\(instance)", "reason": "\(error)"], throttle: throttles.frames)
        }
    }

    /// Gives up a worker whose connection the messaging thread closed because its key was revoked.
    package func keyRevoked(of instance: String) {
        perform { $0.keyRevoked(of: instance, now: .now()) }
    }

    // MARK: Submissions

    /// Reserves places for jobs that are about to be inserted, while workers have room, until ``inserted(_:)`` or
    /// ``unreserve(_:)``.
    ///
    /// - Returns: for each job a claim, or `nil` if the job has to wait.
    func reserveClaims(for jobs: [NewJob], userID: String, now: Timestamp) -> [JobInsertion.Claim?] {
        let expiry = MonotonicInstant.now().advanced(by: settings.lease)
        var claims = [JobInsertion.Claim?](repeating: nil, count: jobs.count)
        state.withLock { state in
            var start = 0
            while start < jobs.count {
                // Consecutive jobs nearly always have the same kind, class and person.
                let first = jobs[start]
                let kind = KindVersion(kind: first.kind.name, version: first.kind.version)
                let end =
                    jobs[start...].firstIndex {
                        $0.kind != first.kind || $0.isInteractive != first.isInteractive
                            || $0.onBehalfOf != first.onBehalfOf
                    } ?? jobs.count
                let due = (start..<end).filter { jobs[$0].runAt.map { $0 <= now } ?? true }
                let payloads = due.lazy.map { jobs[$0].payload.utf8.count }
                let workers = state.reserve(
                    payloads: payloads, kind: kind, person: first.onBehalfOf ?? userID,
                    isInteractive: first.isInteractive)
                for (index, worker) in zip(due, workers) {
                    claims[index] = .init(worker: worker, leaseExpiresAt: expiry)
                }
                start = end
            }
        }
        return claims
    }

    func unreserve(_ jobs: [JobInsertion]) {
        perform { state in
            var actions: [DispatchAction] = []
            for job in jobs {
                guard let claim = job.claim else { continue }
                actions += state.unreserve(
                    worker: claim.worker, person: job.onBehalfOf ?? job.userID, bytes: job.payload.utf8.count,
                    isInteractive: job.priority >= JobPriority.interactive, now: .now())
            }
            return actions
        }
    }

    /// Takes over jobs whose rows are durable: sends those that are claimed, and queues the others.
    package func inserted(_ jobs: [JobInsertion]) {
        guard !jobs.isEmpty else { return }
        let now = MonotonicInstant.now()
        var claims: [(claim: DispatchAction.Claim, job: AssignedJob)] = []
        claims.reserveCapacity(jobs.count)
        var waiting: [ReadyJob] = []
        for job in jobs {
            var ready = ReadyJob(
                id: job.id, userID: job.userID, onBehalfOf: job.onBehalfOf,
                kind: KindVersion(kind: job.kind, version: job.version), priority: job.priority, since: now)
            switch job.state {
            case .running:
                guard let claim = job.claim else { continue }
                let handed = AssignedJob(
                    run: JobRun(jobID: job.id, run: 1), userID: job.userID, kind: job.kind, version: job.version,
                    attempt: 1, maximumAttempts: job.maximumAttempts, priority: job.priority, payload: job.payload,
                    trace: job.trace, person: job.onBehalfOf)
                claims.append((.init(job: ready, worker: claim.worker, bytes: job.payload.utf8.count), handed))
            case .scheduled:
                schedule.withLock { $0.insert(id: job.id, at: job.runAt) }
            default:
                if job.payload.utf8.count <= ReadyJob.InsertedRow.maximumPayload {
                    ready.insertedRow = .init(
                        payload: job.payload, maximumAttempts: job.maximumAttempts, trace: job.trace)
                }
                waiting.append(ready)
            }
        }
        let expiry = now.advanced(by: settings.lease)
        perform { state in
            state.claimsCommitted(claims, missing: [], expiry: expiry, now: now) + state.enqueue(waiting, now: now)
        }
        metrics.submitted(jobs.lazy.map(\.kind))
        metrics.dispatchedAtOnce(claims.lazy.map(\.job.kind))
        events.changed(users: jobs.lazy.map(\.userID).withoutAdjacentDuplicates)
    }

    func cancelled(_ job: CancelledJob, userID: String) {
        schedule.withLock { $0.remove(id: job.run.jobID) }
        perform { $0.cancelled(job.run, userID: userID, worker: job.worker, now: .now()) }
    }

    /// Handles a system job that a domain cancelled because nobody waits for it any longer.
    package func cancelledBySystem(_ job: CancelledJob) {
        cancelled(job, userID: SystemUser.id)
    }

    /// The progress of a job's run, as its worker last reported it.
    package func progress(ofJob id: String) -> RunProgress? {
        progress.withLock { $0[id] }
    }

    // MARK: Carrying out actions

    /// Runs a step of the state machine and carries out its actions. Messages are sent within the lock, in order.
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

    func perform(_ action: DispatchAction) {
        switch action {
        case .send: break
        case .claim(let claims): commit(claims)
        case .release(let releases): commit(releases)
        case .extend(let runs): extend(runs)
        case .changed(let jobs):
            progress.withLock { progress in
                if !progress.isEmpty { for job in jobs { progress[job.id] = nil } }
            }
            events.changed(jobs: jobs.lazy.map(\.id), users: jobs.lazy.compactMap(\.userID).withoutAdjacentDuplicates)
        case .progress(let runs):
            let users = state.withLock { state in
                runs.map { run in state.workers.values.lazy.compactMap { $0.held[run.run.jobID] }.first?.job.userID }
            }
            progress.withLock { for run in runs { $0[run.run.jobID] = run } }
            for (run, user) in zip(runs, users) {
                if let user { events.progressed(run, userID: user) }
            }
        case .report(let report, let instance): reports.withLock { $0.record(report, from: instance, now: .now()) }
        case .pollTable: pollTableSoon()
        case .schedule(let id, let at): schedule.withLock { $0.insert(id: id, at: at) }
        case .log(let message): logger.info("\(message)")
        }
    }

    private func extend(_ runs: [JobRun]) {
        let now = MonotonicInstant.now()
        let (expiry, margin) = (now.advanced(by: settings.lease), now.advanced(by: settings.lease / 2))
        database.enqueueWrite {
            try $0.jobs.extendLeases(of: runs, until: expiry, margin: margin)
        } completion: { [self] result in
            switch result {
            case .success(let ended):
                if !ended.isEmpty { perform { $0.foundEnded(ended, now: .now()) } }
            case .failure(let error):
                logger.log(
                    level: .warning, "leases of running jobs could not be extended; the next heartbeat tries again",
                    metadata: ["error": "\(error)"], throttle: throttles.leases)
            }
        }
    }
}
