import Collections
import Contracts
import Model

/// A worker process as the dispatcher knows it.
struct ConnectedWorker {
    /// One run it was handed.
    struct Held {
        var run: Int64
        var job: ReadyJob
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
    private var unacknowledged: Deque<(sequence: Int64, jobs: Int)> = []
    /// Jobs whose claim is being committed for it.
    var reserved = 0
    var held: [String: Held] = [:]
    var isDraining = false
    var isolation = Isolation.none

    init(introduction: WorkerIntroduction, now: MonotonicInstant) {
        self.introduction = introduction
        kinds = Set(introduction.kinds)
        connectedAt = now
        sequence = now.microseconds
        lastHeard = now
    }

    /// How many more jobs it can be given now.
    var free: Int {
        guard !isDraining, isolation == .none else { return 0 }
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
    mutating func nextSequence(jobs: Int) -> Int64 {
        sequence += 1
        unacknowledged.append((sequence, jobs))
        return sequence
    }

    /// A message turned out lost: what it carried no longer counts against the credit.
    mutating func forgetUnacknowledged() {
        unacknowledged.removeAll()
    }

    mutating func remove(jobID: String) -> Held? {
        let removed = held.removeValue(forKey: jobID)
        if isolation == .running(jobID: jobID) { isolation = .none }
        return removed
    }
}
