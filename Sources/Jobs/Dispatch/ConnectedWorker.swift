import Collections
import Contracts
import Model

/// A worker process as the dispatcher knows it.
struct ConnectedWorker {
    /// The bytes of payloads with which a worker gets nothing more until some of what it holds has ended: sixteen of
    /// the largest, and more of usual ones than it is ever given. Several copies of each are in its memory at once, of
    /// which the units shipped allow it 1 GiB.
    static let maximumBytes = 16 << 20

    /// One run it was handed.
    struct Held {
        var run: Int64
        var job: ReadyJob
        /// Of its payload; 0 where it is not known, for a run from before the gateway started.
        var bytes = 0
        /// When it was handed out.
        var handedAt: MonotonicInstant
        /// What the database says of the lease; memory is ahead of it by up to half a lease.
        var storedExpiry: MonotonicInstant
        /// When a heartbeat first failed to name it.
        var missedSince: MonotonicInstant?
    }

    /// Whether it is kept free of other work for jobs that were lost together when a worker died.
    enum Isolation: Equatable {
        case none
        /// It gets no more jobs below interactive priority, which may run for hours; and once it holds none of them,
        /// nothing at all until what it holds has ended.
        case emptying
        /// - Parameter afterOutage: one of them ran when the whole machine may have gone down.
        case running(group: String, afterOutage: Bool)
    }

    let introduction: WorkerIntroduction
    let connectedAt: MonotonicInstant
    var kinds: Set<KindVersion>
    var lastHeard: MonotonicInstant
    var credit = WorkerCredit(free: 0, received: 0)
    /// The number of the last `jobs` message sent to it. It begins at the time since boot, so that
    /// a gateway that starts, or a worker that comes back, never sees an earlier number again.
    private var sequence: Int64
    /// Messages that its credit does not count yet.
    private var unacknowledged: Deque<(sequence: Int64, jobs: Int, sentAt: MonotonicInstant)> = []
    /// Jobs whose claim is being committed for it.
    private(set) var reserved = 0
    /// Of their payloads, as far as they were known when the places were taken.
    private var reservedBytes = 0
    /// How many of those that it holds, or that are being committed for it, are interactive.
    private var (heldInteractive, reservedInteractive) = (0, 0)
    /// How many of those below interactive priority are each person's.
    private var heldOfPeople: [String: Int] = [:]
    private var reservedOfPeople: [String: Int] = [:]
    private(set) var held: [String: Held] = [:]
    /// Of the payloads of what it holds.
    private(set) var heldBytes = 0
    /// Runs that are not its own any more and that it has been told to stop, until a heartbeat does not name them:
    /// until then they may go on.
    var stopping: Set<JobRun> = []
    var isDraining = false
    var isolation = Isolation.none
    /// A group has just run on it: what else waits is served before the next one.
    var owesOtherWork = false

    init(introduction: WorkerIntroduction, now: MonotonicInstant) {
        self.introduction = introduction
        kinds = Set(introduction.kinds)
        connectedAt = now
        sequence = now.microseconds
        lastHeard = now
    }

    /// Takes over what it held before the gateway started.
    mutating func adopt(_ orphans: [String: Held]) {
        held = orphans
        heldInteractive = orphans.values.count { $0.job.isInteractive }
        for orphan in orphans.values where !orphan.job.isInteractive {
            heldOfPeople[orphan.job.person, default: 0] += 1
        }
        isolateWhenSuspected()
    }

    /// It was handed members of a group without having been kept for them: before the gateway started, or while it was
    /// taken for dead.
    mutating func isolateWhenSuspected() {
        guard !runsGroup, let group = held.values.lazy.compactMap(\.job.group).min() else { return }
        let afterOutage = held.values.contains { $0.job.isSuspect && $0.job.ranAtOutage }
        isolation = .running(group: group, afterOutage: afterOutage)
    }

    var runsGroup: Bool {
        if case .running = isolation { true } else { false }
    }

    var runsGroupOfOutage: Bool {
        if case .running(_, afterOutage: true) = isolation { true } else { false }
    }

    /// How many jobs of a group it is given at once: those that begin at once, whatever their priority and whoever they
    /// are for.
    var placesForGroup: Int {
        backgroundPlaces > 0 ? PlaceShare.alone(of: backgroundPlaces) : Int(credit.free)
    }

    /// How many places jobs below interactive priority may take; 0 of a worker that does not say how many it has.
    var backgroundPlaces: Int {
        introduction.capacity > 0 ? JobPriority.backgroundPlaces(of: Int(introduction.capacity)) : 0
    }

    /// How many places are kept for interactive jobs; none of a worker that does not say how many it has.
    private var interactivePlaces: Int {
        backgroundPlaces > 0 ? Int(introduction.capacity) - backgroundPlaces : 0
    }

    /// How many jobs it takes beyond its places, to wait in it for milliseconds.
    var ahead: Int { introduction.capacity > 0 ? max(0, load + room - Int(introduction.capacity)) : 0 }

    /// The bytes of payloads that it can be given now, the last of which may go beyond.
    var roomForPayloads: Int { max(0, Self.maximumBytes - heldBytes - reservedBytes) }

    /// How many jobs below interactive priority it holds, those included whose claim is being committed for it.
    var backgroundLoad: Int { load - heldInteractive - reservedInteractive }

    /// How many of those are for a person.
    func backgroundLoad(of person: String) -> Int {
        heldOfPeople[person, default: 0] + reservedOfPeople[person, default: 0]
    }

    /// Whether it is given jobs below interactive priority when it has room.
    var takesBackground: Bool { !isDraining && isolation == .none }

    private var takesInteractive: Bool {
        switch isolation {
        case .none: true
        // People do not wait for long jobs to end; and as soon as those have, people's do not keep the group waiting.
        case .emptying: backgroundLoad > 0
        case .running: false
        }
    }

    /// How many more jobs it can be given now; while it is being emptied, interactive ones only.
    var free: Int {
        guard !isDraining, takesInteractive, roomForPayloads > 0 else { return 0 }
        return room
    }

    /// What its credit leaves after what is on its way to it.
    private var room: Int { max(0, Int(credit.free) - unacknowledged.reduce(0) { $0 + $1.jobs } - reserved) }

    /// How many more jobs below interactive priority it can be given now: the places that are kept for interactive
    /// ones, and that none of these has taken, stay free. Beyond its places jobs only wait in it for milliseconds.
    var freeForBackground: Int {
        guard takesBackground else { return 0 }
        return max(0, free - max(0, interactivePlaces - heldInteractive - reservedInteractive))
    }

    func free(forInteractive isInteractive: Bool) -> Int { isInteractive ? free : freeForBackground }

    var runs: [JobRun] { held.map { JobRun(jobID: $0.key, run: $0.value.run) } }

    /// How many jobs it holds, those included whose claim is being committed for it.
    var load: Int { held.count + reserved }

    var isIdle: Bool { load == 0 }

    mutating func accept(_ newCredit: WorkerCredit) {
        // A late message says less than an earlier one already did.
        guard newCredit.received >= credit.received else { return }
        credit = newCredit
        while let first = unacknowledged.first, first.sequence <= newCredit.received {
            unacknowledged.removeFirst()
        }
    }

    /// The number for a message of `jobs` jobs that is about to be sent.
    mutating func nextSequence(jobs: Int, now: MonotonicInstant) -> Int64 {
        sequence += 1
        unacknowledged.append((sequence, jobs, now))
        return sequence
    }

    /// Messages sent before `moment` turned out lost: what they carried no longer counts against the credit.
    mutating func forgetUnacknowledged(sentBefore moment: MonotonicInstant) {
        while let first = unacknowledged.first, first.sentAt < moment { unacknowledged.removeFirst() }
    }

    /// Takes places for jobs of one class that are for one person.
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

    /// A claim for it is settled. One that an earlier connection of the same process had begun does not count.
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

    /// A job is on its way to it.
    ///
    /// - Returns: an earlier run of the job that it held: it handed that back, and the word of it has not come yet.
    mutating func hold(
        _ job: ReadyJob, run: Int64, bytes: Int, handedAt: MonotonicInstant, storedExpiry: MonotonicInstant
    ) -> Held? {
        var job = job
        // Good for a first hand-out only.
        job.parcel = nil
        heldBytes += bytes
        if job.isInteractive { heldInteractive += 1 } else { heldOfPeople[job.person, default: 0] += 1 }
        let earlier = held.updateValue(
            Held(run: run, job: job, bytes: bytes, handedAt: handedAt, storedExpiry: storedExpiry), forKey: job.id)
        if let earlier { forget(earlier) }
        return earlier
    }

    mutating func remove(jobID: String) -> Held? {
        guard let removed = held.removeValue(forKey: jobID) else { return nil }
        forget(removed)
        endIsolationWhenOver()
        return removed
    }

    /// A run has ended.
    ///
    /// - Returns: whose job it is, if this worker holds any run of it, and what it held, if it was this one.
    mutating func end(_ run: JobRun) -> (userID: String?, ended: Held?) {
        guard let index = held.index(forKey: run.jobID) else { return (nil, nil) }
        // A word that comes a second time may speak of a time that is past by now.
        guard held.values[index].run == run.run else { return (held.values[index].job.userID, nil) }
        let ended = held.remove(at: index).value
        forget(ended)
        endIsolationWhenOver()
        return (ended.job.userID, ended)
    }

    private mutating func forget(_ held: Held) {
        heldBytes -= held.bytes
        if held.job.isInteractive {
            heldInteractive -= 1
        } else {
            Self.takeOne(of: held.job.person, from: &heldOfPeople)
        }
    }

    /// Changes what is known of one of its runs; its priority and payload stay.
    mutating func update(_ jobID: String, _ change: (inout Held) -> Void) {
        guard let index = held.index(forKey: jobID) else { return }
        change(&held.values[index])
    }

    /// A run made progress: its job kills no worker, and is under suspicion no more.
    mutating func cleared(_ run: JobRun) {
        guard let index = held.index(forKey: run.jobID), held.values[index].run == run.run else { return }
        held.values[index].job.group = nil
        held.values[index].job.crashes = 0
        endIsolationWhenOver()
    }

    /// When nothing of the group is left on it that is under suspicion, it takes other work again.
    mutating func endIsolationWhenOver() {
        guard case .running = isolation, reserved == 0, !held.values.contains(where: { $0.job.isSuspect }) else {
            return
        }
        isolation = .none
        owesOtherWork = true
    }
}
