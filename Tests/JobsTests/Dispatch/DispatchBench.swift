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

/// The dispatcher's state with a clock of its own, and with as much of the table of jobs as it takes
/// to answer claims and releases the way the database would.
struct DispatchBench {
    /// A row of the table.
    struct JobRow {
        var job: ReadyJob
        var run: Int64 = 0
        /// The worker that runs it.
        var worker: String?
        var isFinished = false
        /// It was set aside as poison.
        var isSetAside = false
        var payload = "{}"
    }

    /// The death of a worker, when the gateway learned of it.
    struct Death {
        /// What the table said it was running, in the order of their names. It may have died before some of that
        /// reached it, and before others that it held were cancelled: nobody can tell.
        var held: [String]
        var worker: String
        /// What of that was under suspicion before.
        var suspects: [JobRun]
        /// This gateway had not heard of it since it started.
        var isOutage: Bool
    }

    static let settings = JobSettings(lease: .seconds(10), heartbeat: .seconds(2))

    var now = MonotonicInstant(microseconds: 5_000_000_000)
    var state: DispatchState
    var table: [String: JobRow] = [:]
    /// Messages not yet looked at by the test.
    var sent: [(message: GatewayMessage, worker: String)] = []
    /// Everything else that was asked for.
    var asked: [DispatchAction] = []
    var releases: [DispatchAction.Release] = []
    var deaths: [Death] = []
    /// Whether claims stay under way until the test commits them.
    var holdsClaims = false
    var heldClaims: [DispatchAction.Claim] = []
    /// The payloads with which a write takes no more claims, where it is not what the workers have room for.
    var maximumClaimedBytes: Int?

    let kinds: [JobKind]

    /// - Parameter kinds: those whose limits are kept.
    init(kinds: [JobKind] = []) {
        self.kinds = kinds
        state = DispatchState(settings: Self.settings, kinds: kinds, now: now)
    }

    // MARK: What workers do

    mutating func hello(
        _ epoch: String, kinds: [KindVersion] = [.echo], credit: Int32? = nil, capacity: Int32 = 0
    ) {
        let introduction = WorkerIntroduction(
            name: WorkerEpoch.name(of: epoch), epoch: epoch, processID: 1, capacity: capacity, kinds: kinds)
        say(.hello(introduction), from: epoch)
        if let credit { beat(epoch, naming: [], free: credit) }
    }

    mutating func say(_ message: WorkerMessage, from epoch: String) {
        carryOut(state.receive(message, from: epoch, now: now))
    }

    mutating func beat(_ epoch: String, naming held: [JobRun], free: Int32, received: Int64 = 0) {
        say(.heartbeat(held: held, credit: WorkerCredit(free: free, received: received)), from: epoch)
    }

    /// Ends runs in the table and says so.
    mutating func finish(_ runs: [JobRun], by epoch: String, free: Int32, received: Int64) {
        for run in runs where table[run.jobID]?.run == run.run {
            table[run.jobID]?.isFinished = true
            table[run.jobID]?.worker = nil
        }
        say(
            .done(
                ended: runs.map { EndedRun(run: $0, outcome: .finished) },
                credit: WorkerCredit(free: free, received: received)), from: epoch)
    }

    // MARK: What the gateway does

    mutating func submit(_ jobs: [ReadyJob], payload: String = "{}") {
        for job in jobs { table[job.id] = JobRow(job: job, payload: payload) }
        carryOut(state.enqueue(jobs, now: now))
    }

    /// Ends the gateway and starts another, which reads the table.
    ///
    /// - Parameter isLongAgo: whether more than an hour has passed since what the table says of outages.
    mutating func restartGateway(isLongAgo: Bool = false) {
        sent = []
        heldClaims = []
        state = DispatchState(settings: Self.settings, kinds: kinds, now: now)
        var waiting: [ReadyJob] = []
        for (id, row) in table.sorted(by: { $0.key < $1.key }) where !row.isFinished {
            if isLongAgo { table[id]?.job.ranAtOutage = false }
            var job = table[id]?.job ?? row.job
            job.since = now
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
        var made: [(claim: DispatchAction.Claim, job: HandedJob)] = []
        var missing: [DispatchAction.Claim] = []
        var (bytes, count) = (0, 0)
        let room = state.beginWrite(of: claims)
        let maximumBytes = maximumClaimedBytes ?? room
        for claim in claims where bytes < maximumBytes {
            count += 1
            guard var row = table[claim.job.id], row.worker == nil, !row.isFinished else {
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

    /// As for a submission of so many small jobs.
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

    func handed(_ row: JobRow) -> HandedJob {
        HandedJob(
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
            if row.job.crashes >= CrashLedger.limit { (row.isFinished, row.isSetAside) = (true, true) }
            table[release.run.jobID] = row
            guard !row.isFinished else { continue }
            // A part of a group has a name of its own in memory alone.
            var job = row.job
            job.group = release.group ?? release.job.group
            ready.append(job)
        }
        carryOut(state.enqueue(ready, now: now))
    }

    /// All that a dead worker held is released together. What that was is taken from the table, not from the release:
    /// the state may be wrong.
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

    // MARK: What the test looks at

    /// The jobs that were sent to a worker since the last look, and the number of the last message.
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

    /// The runs a worker was told to stop since the last look.
    mutating func takeStops(of worker: String) -> [JobRun] {
        var runs: [JobRun] = []
        for case (.stop(let stopped), worker) in sent { runs += stopped }
        sent.removeAll { message, to in
            if case .stop = message { return to == worker }
            return false
        }
        return runs
    }

    /// The worker that the state believes to hold a job.
    func holder(of id: String) -> String? {
        state.workers.first { $0.value.held[id] != nil }?.key
    }
}
