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

    /// Whether it is kept free of company for a job that was there when a worker died.
    enum Isolation: Equatable {
        case none
        /// It gets nothing more until what it holds has ended.
        case emptying
        case running(jobID: String)
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
    var held: [String: Held] = [:]
    /// Of the payloads of what it holds.
    private(set) var heldBytes = 0
    var isDraining = false
    var isolation = Isolation.none
    /// A suspect has just run alone on it: what else waits has a turn before the next one.
    var owesTurn = false

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
        if let suspect = orphans.first(where: { $0.value.job.isSuspect }) { isolation = .running(jobID: suspect.key) }
    }

    /// The bytes of payloads that it can be given now, the last of which may go beyond.
    var roomForPayloads: Int { max(0, Self.maximumBytes - heldBytes - reservedBytes) }

    /// How many more jobs it can be given now.
    var free: Int {
        guard !isDraining, isolation == .none, roomForPayloads > 0 else { return 0 }
        return max(0, Int(credit.free) - unacknowledged.reduce(0) { $0 + $1.jobs } - reserved)
    }

    var isIdle: Bool { held.isEmpty && reserved == 0 }

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

    mutating func reserve(_ count: Int, bytes: Int = 0) {
        reserved += count
        reservedBytes += bytes
    }

    /// A claim for it is settled. One that an earlier connection of the same process had begun does not count.
    mutating func endReservation(bytes: Int) {
        reserved = max(0, reserved - 1)
        reservedBytes = reserved == 0 ? 0 : max(0, reservedBytes - bytes)
    }

    /// A job is on its way to it.
    mutating func hold(
        _ job: ReadyJob, run: Int64, bytes: Int, handedAt: MonotonicInstant, storedExpiry: MonotonicInstant
    ) {
        var job = job
        // Good for a first hand-out only.
        job.parcel = nil
        heldBytes += bytes
        let earlier = held.updateValue(
            Held(run: run, job: job, bytes: bytes, handedAt: handedAt, storedExpiry: storedExpiry), forKey: job.id)
        if let earlier { heldBytes -= earlier.bytes }
    }

    mutating func remove(jobID: String) -> Held? {
        let removed = held.removeValue(forKey: jobID)
        heldBytes -= removed?.bytes ?? 0
        endIsolation(ofJob: jobID)
        return removed
    }

    /// A run has ended.
    ///
    /// - Returns: whose job it is, if this worker holds any run of it, and whether it held this one.
    mutating func end(_ run: JobRun) -> (userID: String?, isCurrent: Bool) {
        guard let index = held.index(forKey: run.jobID) else { return (nil, false) }
        let userID = held.values[index].job.userID
        // A word that comes a second time may speak of a time that is past by now.
        guard held.values[index].run == run.run else { return (userID, false) }
        heldBytes -= held.values[index].bytes
        held.remove(at: index)
        endIsolation(ofJob: run.jobID)
        return (userID, true)
    }

    /// A run made progress: its job kills no worker, and needs none to itself.
    mutating func cleared(_ run: JobRun) {
        guard held[run.jobID]?.run == run.run else { return }
        held[run.jobID]?.job.isSuspect = false
        held[run.jobID]?.job.crashes = 0
        endIsolation(ofJob: run.jobID)
    }

    private mutating func endIsolation(ofJob id: String) {
        guard isolation == .running(jobID: id) else { return }
        isolation = .none
        owesTurn = true
    }
}
