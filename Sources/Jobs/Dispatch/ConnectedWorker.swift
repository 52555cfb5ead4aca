import Collections
import Contracts
import Model

/// A worker process as the dispatcher knows it.
struct ConnectedWorker {
    /// Once a worker holds this many bytes of payloads, it gets no more jobs until some of them have ended. The limit
    /// leaves room for sixteen of the largest payloads. A worker has several copies of each payload in memory, and the
    /// systemd units that come with Backline limit it to 1 GiB.
    static let maximumBytes = 16 << 20

    /// A run that was handed to the worker.
    struct Assignment {
        var run: Int64
        var job: ReadyJob
        /// The size of the payload; 0 if unknown, as for a run from before the gateway started.
        var bytes = 0
        /// When the run was handed out.
        var handedAt: MonotonicInstant
        /// The end of the lease as the database has it; the lease in memory ends up to half a lease later.
        var storedExpiry: MonotonicInstant
        /// When a heartbeat first omitted the run.
        var missedSince: MonotonicInstant?
    }

    /// Whether the worker is reserved for a crash group.
    enum Isolation: Equatable {
        case none
        /// The worker gets no more jobs below interactive priority, which may run for hours. Once it holds none of
        /// them, it gets no jobs at all until those that it holds have ended.
        case emptying
        /// - Parameter afterOutage: whether a member ran when the gateway went down with its worker.
        case running(group: String, afterOutage: Bool)
    }

    let introduction: WorkerIntroduction
    let connectedAt: MonotonicInstant
    var kinds: Set<KindVersion>
    var lastHeard: MonotonicInstant
    var credit = WorkerCredit(free: 0, received: 0)
    /// The number of the last `jobs` message sent to the worker. It starts at the number of microseconds since boot, so
    /// that no number is reused when the gateway restarts or the worker reconnects.
    private var sequence: Int64
    /// `jobs` messages that the worker's credit does not count yet.
    private var unacknowledged: Deque<(sequence: Int64, jobs: Int, sentAt: MonotonicInstant)> = []
    /// How many claims for the worker are being committed.
    private(set) var reserved = 0
    /// The payload bytes of these claims that were known when the slots were reserved.
    private var reservedBytes = 0
    /// How many of the held jobs, and of the claims being committed, are interactive.
    private var (heldInteractive, reservedInteractive) = (0, 0)
    /// The number of held jobs below interactive priority, by person.
    private var heldOfPeople: [String: Int] = [:]
    private var reservedOfPeople: [String: Int] = [:]
    private(set) var held: [String: Assignment] = [:]
    /// The bytes of the held jobs' payloads.
    private(set) var heldBytes = 0
    /// Runs that the worker was asked to stop. They may continue until a heartbeat no longer names them.
    var stopping: Set<JobRun> = []
    var isDraining = false
    var isolation = Isolation.none
    /// Whether a crash group has just run on the worker, so that other waiting jobs come before the next group.
    var owesOtherWork = false

    init(introduction: WorkerIntroduction, now: MonotonicInstant) {
        self.introduction = introduction
        kinds = Set(introduction.kinds)
        connectedAt = now
        sequence = now.microseconds
        lastHeard = now
    }

    /// Takes over the runs that the worker held before the gateway started.
    mutating func restore(_ orphans: [String: Assignment]) {
        held = orphans
        heldInteractive = orphans.values.count { $0.job.isInteractive }
        for orphan in orphans.values where !orphan.job.isInteractive {
            heldOfPeople[orphan.job.person, default: 0] += 1
        }
        isolateWhenSuspected()
    }

    /// Isolates a worker that holds members of a crash group without having been reserved for them: it received them
    /// before the gateway started, or while the gateway considered it dead.
    mutating func isolateWhenSuspected() {
        guard !runsGroup, let group = held.values.lazy.compactMap(\.job.group).min() else { return }
        let afterOutage = held.values.contains { $0.job.isSuspect && $0.job.ranAtOutage }
        isolation = .running(group: group, afterOutage: afterOutage)
    }

    /// Whether a job whose claim is durable may be sent to the worker. If the claim dates from before the worker was
    /// considered dead and said hello again, the worker may be reserved for a crash group by now.
    func accepts(_ job: ReadyJob) -> Bool {
        if case .running(let group, _) = isolation { job.group == group } else { true }
    }

    var runsGroup: Bool {
        if case .running = isolation { true } else { false }
    }

    var runsGroupOfOutage: Bool {
        if case .running(_, afterOutage: true) = isolation { true } else { false }
    }

    /// How many members of a crash group the worker gets at once: as many as can begin at once, regardless of priority
    /// and person.
    var slotsForGroup: Int {
        backgroundSlots > 0 ? SlotShare.alone(of: backgroundSlots) : Int(credit.free)
    }

    /// How many slots jobs below interactive priority may take; 0 for a worker that does not report its capacity.
    var backgroundSlots: Int {
        introduction.capacity > 0 ? JobPriority.backgroundSlots(of: Int(introduction.capacity)) : 0
    }

    /// How many slots are reserved for interactive jobs; 0 for a worker that does not report its capacity.
    private var interactiveSlots: Int {
        backgroundSlots > 0 ? Int(introduction.capacity) - backgroundSlots : 0
    }

    /// How many jobs the worker asks for beyond its slots. They wait in it for milliseconds.
    var ahead: Int { introduction.capacity > 0 ? max(0, load + room - Int(introduction.capacity)) : 0 }

    /// The bytes of payloads that the worker can be given now. The last payload may exceed them.
    var roomForPayloads: Int { max(0, Self.maximumBytes - heldBytes - reservedBytes) }

    /// How many jobs below interactive priority the worker holds, including claims being committed.
    var backgroundLoad: Int { load - heldInteractive - reservedInteractive }

    /// How many jobs below interactive priority the worker holds for a person, including claims being committed.
    func backgroundLoad(of person: String) -> Int {
        heldOfPeople[person, default: 0] + reservedOfPeople[person, default: 0]
    }

    /// Whether the worker gets jobs below interactive priority when it has room.
    var takesBackground: Bool { !isDraining && isolation == .none }

    private var takesInteractive: Bool {
        switch isolation {
        case .none: true
        // Interactive jobs do not wait for long background jobs. Once these have ended, they must not delay the group.
        case .emptying: backgroundLoad > 0
        case .running: false
        }
    }

    /// How many more jobs the worker can be given now; only interactive ones while it is being emptied.
    var free: Int {
        guard !isDraining, takesInteractive, roomForPayloads > 0 else { return 0 }
        return room
    }

    /// The worker's credit less the jobs that are on their way to it.
    private var room: Int { max(0, Int(credit.free) - unacknowledged.reduce(0) { $0 + $1.jobs } - reserved) }

    /// How many more jobs below interactive priority the worker can be given now. Places reserved for interactive jobs
    /// stay free until interactive jobs take them. Jobs beyond the slots wait in the worker for milliseconds only.
    var freeForBackground: Int {
        guard takesBackground else { return 0 }
        return max(0, free - max(0, interactiveSlots - heldInteractive - reservedInteractive))
    }

    func free(forInteractive isInteractive: Bool) -> Int { isInteractive ? free : freeForBackground }

    var runs: [JobRun] { held.map { JobRun(jobID: $0.key, run: $0.value.run) } }

    /// How many jobs the worker holds, including claims being committed.
    var load: Int { held.count + reserved }

    var isIdle: Bool { load == 0 }

    mutating func accept(_ newCredit: WorkerCredit) {
        // A message that arrives late is older than one that has already been read.
        guard newCredit.received >= credit.received else { return }
        credit = newCredit
        while let first = unacknowledged.first, first.sequence <= newCredit.received {
            unacknowledged.removeFirst()
        }
    }

    /// The number of the next `jobs` message, which is about to be sent with this many jobs.
    mutating func nextSequence(jobs: Int, now: MonotonicInstant) -> Int64 {
        sequence += 1
        unacknowledged.append((sequence, jobs, now))
        return sequence
    }

    /// Stops counting messages sent before `moment` against the credit: they were lost.
    mutating func forgetUnacknowledged(sentBefore moment: MonotonicInstant) {
        while let first = unacknowledged.first, first.sentAt < moment { unacknowledged.removeFirst() }
    }

    /// Reserves slots for jobs of one class and one person.
    mutating func reserve(_ count: Int, for person: String, isInteractive: Bool, bytes: Int = 0) {
        guard count > 0 else { return }
        reserved += count
        reservedBytes += bytes
        if isInteractive {
            reservedInteractive += count
        } else {
            reservedOfPeople[person, default: 0] += count
        }
    }

    /// Ends the reservation of a claim that was committed or abandoned. A claim from an earlier connection of the same
    /// process has no reservation here.
    mutating func endReservation(for person: String, bytes: Int, isInteractive: Bool) {
        reserved = max(0, reserved - 1)
        reservedBytes = reserved == 0 ? 0 : max(0, reservedBytes - bytes)
        reservedInteractive = min(reserved, max(0, reservedInteractive - (isInteractive ? 1 : 0)))
        if !isInteractive { Self.takeOne(of: person, from: &reservedOfPeople) }
        if reserved == 0 { reservedOfPeople = [:] }
    }

    private static func takeOne(of person: String, from counts: inout [String: Int]) {
        guard let index = counts.index(forKey: person) else { return }
        if counts.values[index] > 1 { counts.values[index] -= 1 } else { counts.remove(at: index) }
    }

    /// Notes that a run is on its way to the worker.
    ///
    /// - Returns: an earlier run of the job that the worker still seemed to hold: it has handed that run back, but its
    ///   message has not arrived yet.
    mutating func assign(
        _ job: ReadyJob, run: Int64, bytes: Int, handedAt: MonotonicInstant, storedExpiry: MonotonicInstant
    ) -> Assignment? {
        var job = job
        // The row is needed for the first assignment only.
        job.insertedRow = nil
        heldBytes += bytes
        if job.isInteractive { heldInteractive += 1 } else { heldOfPeople[job.person, default: 0] += 1 }
        let earlier = held.updateValue(
            Assignment(run: run, job: job, bytes: bytes, handedAt: handedAt, storedExpiry: storedExpiry), forKey: job.id
        )
        if let earlier { forget(earlier) }
        return earlier
    }

    mutating func remove(jobID: String) -> Assignment? {
        guard let removed = held.removeValue(forKey: jobID) else { return nil }
        forget(removed)
        endIsolationWhenOver()
        return removed
    }

    /// Removes a run that has ended.
    ///
    /// - Returns: the job's owner, if the worker holds any run of the job; and the held run, if it was this one.
    mutating func end(_ run: JobRun) -> (userID: String?, ended: Assignment?) {
        guard let index = held.index(forKey: run.jobID) else { return (nil, nil) }
        // A message that arrives twice may name an earlier run.
        guard held.values[index].run == run.run else { return (held.values[index].job.userID, nil) }
        let ended = held.remove(at: index).value
        forget(ended)
        endIsolationWhenOver()
        return (ended.job.userID, ended)
    }

    private mutating func forget(_ held: Assignment) {
        heldBytes -= held.bytes
        if held.job.isInteractive {
            heldInteractive -= 1
        } else {
            Self.takeOne(of: held.job.person, from: &heldOfPeople)
        }
    }

    /// Changes what is known about one of the worker's runs, except its priority, person and payload.
    mutating func update(_ jobID: String, _ change: (inout Assignment) -> Void) {
        guard let index = held.index(forKey: jobID) else { return }
        change(&held.values[index])
    }

    /// Clears a job of suspicion after its run made progress: such a job does not kill workers.
    mutating func cleared(_ run: JobRun) {
        guard let index = held.index(forKey: run.jobID), held.values[index].run == run.run else { return }
        held.values[index].job.group = nil
        held.values[index].job.crashes = 0
        endIsolationWhenOver()
    }

    /// Opens the worker to other work again once it holds no suspects.
    mutating func endIsolationWhenOver() {
        guard case .running = isolation, reserved == 0, !held.values.contains(where: { $0.job.isSuspect }) else {
            return
        }
        isolation = .none
        owesOtherWork = true
    }
}
