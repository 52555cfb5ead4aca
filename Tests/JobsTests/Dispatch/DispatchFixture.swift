import Contracts
import Model

@testable import Jobs

extension KindVersion {
    static let echo = KindVersion(kind: "diagnostics.echo", version: 1)
    static let other = KindVersion(kind: "other.kind", version: 1)
}

extension ReadyJob {
    static func sample(
        _ id: String, userID: String = "u", kind: KindVersion = .echo, priority: Int = 0,
        since: MonotonicInstant = MonotonicInstant(microseconds: 0), group: String? = nil, onBehalfOf: String? = nil
    ) -> ReadyJob {
        ReadyJob(
            id: id, userID: userID, onBehalfOf: onBehalfOf, kind: kind, priority: priority, since: since, group: group)
    }
}

/// The dispatcher's state on a simulated clock, with a simulated table that answers claims and releases as the database
/// would.
struct DispatchFixture {
    /// A row of the table.
    struct JobRow {
        var job: ReadyJob
        var run: Int64 = 0
        /// The worker that runs the job.
        var worker: String?
        var isFinished = false
        /// Whether it was set aside as poison.
        var isQuarantined = false
        var payload = "{}"
    }

    /// The death of a worker, as the gateway learned of it.
    struct Death {
        /// The ids of the jobs that ran there according to the table. The worker may have died before some of them
        /// reached it, and before others were cancelled.
        var held: [String]
        var worker: String
        /// The runs among these whose jobs were suspects before.
        var suspects: [JobRun]
        /// Whether the gateway had not heard of the worker since its start.
        var isOutage: Bool
    }

    static let settings = JobSettings(lease: .seconds(10), heartbeat: .seconds(2))

    var now = MonotonicInstant(microseconds: 5_000_000_000)
    var state: DispatchState
    var table: [String: JobRow] = [:]
    /// Messages that the test has not read yet.
    var sent: [(message: GatewayMessage, worker: String)] = []
    /// All other actions.
    var asked: [DispatchAction] = []
    var releases: [DispatchAction.Release] = []
    var deaths: [Death] = []
    /// Whether claims wait until the test commits them.
    var holdsClaims = false
    var heldClaims: [DispatchAction.Claim] = []
    /// The number of payload bytes at which a write of claims ends; `nil` for the workers' limit.
    var maximumClaimedBytes: Int?

    let kinds: [JobKind]

    /// - Parameter kinds: the kinds whose limits are enforced.
    init(kinds: [JobKind] = []) {
        self.kinds = kinds
        state = DispatchState(settings: Self.settings, kinds: kinds, now: now)
    }

    // MARK: Workers

    mutating func hello(
        _ instance: String, kinds: [KindVersion] = [.echo], credit: Int32? = nil, capacity: Int32 = 0
    ) {
        let introduction = WorkerIntroduction(
            name: WorkerInstance.name(of: instance), instance: instance, processID: 1, capacity: capacity, kinds: kinds)
        say(.hello(introduction), from: instance)
        if let credit { beat(instance, naming: [], free: credit) }
    }

    mutating func say(_ message: WorkerMessage, from instance: String) {
        carryOut(state.receive(message, from: instance, now: now))
    }

    mutating func beat(_ instance: String, naming held: [JobRun], free: Int32, received: Int64 = 0) {
        say(.heartbeat(held: held, credit: WorkerCredit(free: free, received: received)), from: instance)
    }

    /// Ends runs in the table and reports them.
    mutating func finish(_ runs: [JobRun], by instance: String, free: Int32, received: Int64) {
        for run in runs where table[run.jobID]?.run == run.run {
            table[run.jobID]?.isFinished = true
            table[run.jobID]?.worker = nil
        }
        say(
            .done(
                ended: runs.map { RunReport(run: $0, outcome: .finished) },
                credit: WorkerCredit(free: free, received: received)), from: instance)
    }

    // MARK: The gateway

    mutating func submit(_ jobs: [ReadyJob], payload: String = "{}") {
        for job in jobs { table[job.id] = JobRow(job: job, payload: payload) }
        read(jobs)
    }

    /// Makes the gateway read waiting jobs, which may have changed in the table since.
    mutating func read(_ jobs: [ReadyJob]) { carryOut(state.enqueue(jobs, now: now)) }

    /// Restarts the gateway, which reads the table.
    ///
    /// - Parameter isLongAgo: whether the last outage was more than an hour ago.
    mutating func restartGateway(isLongAgo: Bool = false) {
        sent = []
        heldClaims = []
        state = DispatchState(settings: Self.settings, kinds: kinds, now: now)
        var waiting: [ReadyJob] = []
        for (id, row) in table.sorted(by: { $0.key < $1.key }) where !row.isFinished {
            if isLongAgo { table[id]?.job.ranAtOutage = false }
            var job = table[id]?.job ?? row.job
            job.since = now
            job.lastRun = row.run
            if let worker = row.worker {
                state.addOrphan(.init(run: row.run, job: job, handedAt: now, storedExpiry: now), of: worker)
            } else {
                waiting.append(job)
            }
        }
        carryOut(state.enqueue(waiting, now: now))
    }

    mutating func advance(by duration: Duration) {
        let end = now.advanced(by: duration)
        while now < end {
            now = min(end, now.advanced(by: .milliseconds(250)))
            carryOut(state.tick(now: now))
        }
    }

    mutating func commitClaims() {
        let claims = heldClaims
        heldClaims = []
        commit(claims)
    }

    mutating func carryOut(_ actions: [DispatchAction]) {
        for action in actions {
            switch action {
            case .send(let message, let worker): sent.append((message, worker))
            case .claim(let claims):
                if holdsClaims { heldClaims += claims } else { commit(claims) }
            case .release(let released): release(released)
            default: asked.append(action)
            }
        }
    }

    private mutating func commit(_ claims: [DispatchAction.Claim]) {
        var made: [(claim: DispatchAction.Claim, job: AssignedJob)] = []
        var missing: [DispatchAction.Claim] = []
        var (bytes, count) = (0, 0)
        let room = state.beginWrite(of: claims)
        let maximumBytes = maximumClaimedBytes ?? room
        for claim in claims where bytes < maximumBytes {
            count += 1
            guard var row = table[claim.job.id], row.worker == nil, !row.isFinished, row.run == claim.job.lastRun else {
                missing.append(claim)
                continue
            }
            row.run += 1
            row.worker = claim.worker
            table[claim.job.id] = row
            bytes += row.payload.utf8.count
            made.append((claim, handed(row)))
        }
        let expiry = now.advanced(by: Self.settings.lease)
        state.endWrite()
        carryOut(
            state.claimsCommitted(made, missing: missing, rest: claims[count...], expiry: expiry, now: now))
    }

    /// Reserves slots as a submission of the given number of small jobs does.
    mutating func reserve(
        _ count: Int, kind: KindVersion, person: String = "u", isInteractive: Bool = false
    ) -> [String] {
        state.reserve(
            payloads: repeatElement(0, count: count), kind: kind, person: person, isInteractive: isInteractive)
    }

    mutating func unreserve(_ worker: String, person: String = "u", bytes: Int = 0, isInteractive: Bool = false) {
        carryOut(
            state.unreserve(worker: worker, person: person, bytes: bytes, isInteractive: isInteractive, now: now))
    }

    func handed(_ row: JobRow) -> AssignedJob {
        AssignedJob(
            run: JobRun(jobID: row.job.id, run: row.run), userID: row.job.userID, kind: row.job.kind.kind,
            version: row.job.kind.version, attempt: 1, maximumAttempts: 5, priority: row.job.priority,
            payload: row.payload)
    }

    private mutating func release(_ released: [DispatchAction.Release]) {
        releases += released
        noteDeath(of: released)
        var ready: [ReadyJob] = []
        for release in released {
            guard var row = table[release.run.jobID], row.run == release.run.run, row.worker != nil else { continue }
            row.worker = nil
            row.job.group = release.group ?? row.job.group
            row.job.ranAtOutage = row.job.ranAtOutage || release.isOutage
            row.job.crashes += release.weight
            if row.job.crashes >= CrashScores.limit { (row.isFinished, row.isQuarantined) = (true, true) }
            table[release.run.jobID] = row
            guard !row.isFinished else { continue }
            // The name of a group's part is in memory only.
            var job = row.job
            job.group = release.group ?? release.job.group
            job.lastRun = row.run
            ready.append(job)
        }
        carryOut(state.enqueue(ready, now: now))
    }

    /// Notes a death. The worker's jobs are read from the table and not from the release, since the state may be wrong.
    private mutating func noteDeath(of released: [DispatchAction.Release]) {
        guard let first = released.first, first.afterCrash else { return }
        let workers = released.compactMap { release in
            table[release.run.jobID].flatMap { $0.run == release.run.run ? $0.worker : nil }
        }
        guard let worker = workers.first else { return }
        let held = table.filter { $0.value.worker == worker }.keys.sorted()
        let suspects = held.compactMap { id in
            table[id].flatMap { $0.job.isSuspect ? JobRun(jobID: id, run: $0.run) : nil }
        }
        deaths.append(Death(held: held, worker: worker, suspects: suspects, isOutage: first.isOutage))
    }

    // MARK: Observations

    /// Returns the runs sent to a worker since the last call, with the number of the last message.
    mutating func takeJobs(of worker: String) -> (runs: [JobRun], sequence: Int64) {
        var runs: [JobRun] = []
        var last: Int64 = 0
        for case (.jobs(let sequence, let jobs), worker) in sent {
            runs += jobs.map(\.run)
            last = sequence
        }
        sent.removeAll { message, to in
            if case .jobs = message { return to == worker }
            return false
        }
        return (runs, last)
    }

    /// Returns the runs that a worker was asked to stop since the last call.
    mutating func takeStops(of worker: String) -> [JobRun] {
        var runs: [JobRun] = []
        for case (.stop(let stopped), worker) in sent { runs += stopped }
        sent.removeAll { message, to in
            if case .stop = message { return to == worker }
            return false
        }
        return runs
    }

    /// The worker that holds a job according to the state.
    func holder(of id: String) -> String? {
        state.workers.first { $0.value.held[id] != nil }?.key
    }
}
