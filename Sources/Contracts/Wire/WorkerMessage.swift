import Model
import Telemetry

/// What a worker says to the gateway. Any of these may be lost, doubled or late without harm.
package enum WorkerMessage: Sendable, Equatable {
    /// Introduces the worker, until it is welcomed and whenever it is asked.
    case hello(WorkerIntroduction)
    /// Names everything it holds, every two seconds.
    case heartbeat(held: [JobRun], credit: WorkerCredit)
    /// Runs that are over, told after their outcome is durable.
    case done(ended: [EndedRun], credit: WorkerCredit)
    case progress([RunProgress])
    /// It put jobs into the table itself: look there.
    case submitted
    /// It takes nothing more, but finishes what it holds.
    case draining
    /// It holds nothing and ends.
    case goodbye
    /// What its metrics stand at, with every heartbeat.
    case metrics(MetricReport)
    /// Runs that made progress, whose jobs nothing that happened before weighs against any more; again with every
    /// heartbeat.
    case cleared([JobRun])
    /// It wrote rows of a domain that concern these people, ``maximumConcerned`` at most.
    case changed(userIDs: [String])

    /// The most people whom one message names.
    package static let maximumConcerned = 500

    package enum MessageType: UInt8, CaseIterable, Sendable {
        case hello = 1
        case heartbeat = 2
        case done = 3
        case progress = 4
        case submitted = 5
        case draining = 6
        case goodbye = 7
        case metrics = 8
        case cleared = 9
        case changed = 10
    }
}

/// Who a worker is and what it can do.
package struct WorkerIntroduction: Sendable, Equatable {
    /// Stable over restarts on one machine, and of one living process at a time: `concert-worker-1`.
    package var name: String
    /// New with every start of the process.
    package var epoch: String
    package var processID: Int32
    /// Of the program.
    package var version: String
    /// How many jobs it runs at once.
    package var capacity: Int32
    /// The kinds and payload versions it knows.
    package var kinds: [KindVersion]

    package init(
        name: String, epoch: String, processID: Int32, version: String = "", capacity: Int32 = 0, kinds: [KindVersion]
    ) {
        self.name = name
        self.epoch = epoch
        self.processID = processID
        self.version = version
        self.capacity = capacity
        self.kinds = kinds
    }
}

/// A kind of job with the version of its payload.
package struct KindVersion: Sendable, Hashable {
    package var kind: String
    package var version: Int

    package init(kind: String, version: Int) {
        self.kind = kind
        self.version = version
    }
}

/// How many jobs a worker can take: an absolute number, so that a lost or doubled message heals.
package struct WorkerCredit: Sendable, Equatable {
    /// Its capacity less what it holds.
    package var free: Int32
    /// The number of the last `jobs` message that is counted in `free`.
    package var received: Int64

    package init(free: Int32, received: Int64) {
        self.free = free
        self.received = received
    }
}

/// How a run ended, as its worker wrote it to the database.
package struct EndedRun: Sendable, Equatable {
    package enum Outcome: UInt8, Sendable {
        /// Succeeded, failed or cancelled for good.
        case finished = 0
        /// Another attempt is due at `runAt`.
        case rescheduled = 1
        /// Handed back; it waits for a worker again. It may have begun: a worker that ends hands back what reaches a
        /// checkpoint, and what still runs at the end of its grace period.
        case handedBack = 2
        /// The worker had lost this run; it changed nothing.
        case stale = 3
    }

    package var run: JobRun
    package var outcome: Outcome
    /// Microseconds UTC, with `rescheduled`; else 0.
    package var runAt: Int64

    package init(run: JobRun, outcome: Outcome, runAt: Int64 = 0) {
        self.run = run
        self.outcome = outcome
        self.runAt = runAt
    }
}

/// How far a run has come.
package struct RunProgress: Sendable, Equatable {
    package var run: JobRun
    package var progress: JobProgress

    package init(run: JobRun, _ progress: JobProgress) {
        self.run = run
        self.progress = progress
    }
}

/// The metrics of a worker: absolute numbers since its start, so that a report that is lost or comes
/// twice heals with the next.
package struct MetricReport: Sendable, Equatable {
    /// Rises with every report of one epoch; one that does not is late or a repetition.
    package var sequence: Int64
    package var snapshot: MetricSnapshot

    package init(sequence: Int64, snapshot: MetricSnapshot) {
        self.sequence = sequence
        self.snapshot = snapshot
    }
}
