import Model
import Telemetry

/// A message from a worker to the gateway. Any message may be lost, duplicated or late without harm
/// (`docs/protocol.md`).
package enum WorkerMessage: Sendable, Equatable {
    /// Introduces the worker: repeated until `welcome`, and sent in answer to `identify`.
    case hello(WorkerIntroduction)
    /// Lists all runs that the worker holds, every two seconds by default.
    case heartbeat(held: [JobRun], credit: WorkerCredit)
    /// Runs that have ended and whose outcome is durable.
    case done(ended: [RunReport], credit: WorkerCredit)
    case progress([RunProgress])
    /// The worker inserted jobs into the table.
    case submitted
    /// The worker accepts no more jobs, but finishes those that it holds.
    case draining
    /// The worker holds no jobs and exits.
    case goodbye
    /// The worker's metrics, sent with every heartbeat.
    case metrics(MetricReport)
    /// Runs whose progress cleared marks of earlier failures or crashes; repeated with every heartbeat.
    case cleared([JobRun])
    /// The worker wrote rows of a domain that concern these people, at most ``maximumConcerned``.
    case changed(userIDs: [String])

    /// The most people in one `changed` message.
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

/// A worker's identity and abilities.
package struct WorkerIntroduction: Sendable, Equatable {
    /// The name, such as `concert-worker-1`: stable across restarts, and used by only one living process at a time.
    package var name: String
    /// The instance, new with every start of the process.
    package var instance: String
    package var processID: Int32
    /// The program's version.
    package var version: String
    /// How many jobs it runs at once.
    package var capacity: Int32
    /// The kinds and payload versions that it runs.
    package var kinds: [KindVersion]

    package init(
        name: String, instance: String, processID: Int32, version: String = "", capacity: Int32 = 0,
        kinds: [KindVersion]
    ) {
        self.name = name
        self.instance = instance
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

/// How many more jobs a worker can accept. The number is absolute, so that the next message makes up for a lost or
/// duplicated one.
package struct WorkerCredit: Sendable, Equatable {
    /// Slots and prefetch, minus the jobs that the worker holds.
    package var free: Int32
    /// The number of the last `jobs` message that is included in `free`.
    package var received: Int64

    package init(free: Int32, received: Int64) {
        self.free = free
        self.received = received
    }
}

/// How a run ended, as its worker wrote it to the database.
package struct RunReport: Sendable, Equatable {
    package enum Outcome: UInt8, Sendable {
        /// Succeeded, failed or was cancelled for good.
        case finished = 0
        /// Another attempt is due at `runAt`.
        case rescheduled = 1
        /// Handed back; the job waits for a worker again. It may have begun: a draining worker hands back jobs that
        /// reach a checkpoint, and jobs that are still running at the end of its grace period.
        case handedBack = 2
        /// The run no longer belonged to the worker, so nothing was changed.
        case stale = 3
    }

    package var run: JobRun
    package var outcome: Outcome
    /// The time of the next attempt in microseconds UTC, with `rescheduled`; otherwise 0.
    package var runAt: Int64

    package init(run: JobRun, outcome: Outcome, runAt: Int64 = 0) {
        self.run = run
        self.outcome = outcome
        self.runAt = runAt
    }
}

/// The progress of a run.
package struct RunProgress: Sendable, Equatable {
    package var run: JobRun
    package var progress: JobProgress

    package init(run: JobRun, _ progress: JobProgress) {
        self.run = run
        self.progress = progress
    }
}

/// The metrics of a worker: totals since its start, so that the next report makes up for a lost or duplicated one.
package struct MetricReport: Sendable, Equatable {
    /// Increases with every report of one instance. A report whose number does not increase is late or a repetition.
    package var sequence: Int64
    package var snapshot: MetricSnapshot

    package init(sequence: Int64, snapshot: MetricSnapshot) {
        self.sequence = sequence
        self.snapshot = snapshot
    }
}
