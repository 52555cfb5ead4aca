import Contracts
import Model
import Telemetry

/// A connected worker, for operators.
package struct WorkerSummary: Sendable {
    /// A run that the worker holds.
    package struct Job: Sendable {
        package var id: String
        package var kind: String
        package var run: Int64
        package var handedAt: MonotonicInstant

        package init(id: String, kind: String, run: Int64, handedAt: MonotonicInstant) {
            self.id = id
            self.kind = kind
            self.run = run
            self.handedAt = handedAt
        }
    }

    /// The most runs in a summary.
    package static let maximumJobs = 50

    package var introduction: WorkerIntroduction
    package var connectedAt: MonotonicInstant
    package var lastHeard: MonotonicInstant
    /// How many runs the worker holds.
    package var held: Int
    /// How many more jobs the worker can take.
    package var free: Int
    package var isDraining: Bool
    /// The runs that were handed out first, oldest first.
    package var jobs: [Job]

    package var name: String { introduction.name }

    package init(
        introduction: WorkerIntroduction, connectedAt: MonotonicInstant, lastHeard: MonotonicInstant, held: Int,
        free: Int, isDraining: Bool, jobs: [Job]
    ) {
        self.introduction = introduction
        self.connectedAt = connectedAt
        self.lastHeard = lastHeard
        self.held = held
        self.free = free
        self.isDraining = isDraining
        self.jobs = jobs
    }
}

/// How long jobs have been waiting and running.
package struct QueueAges: Sendable {
    /// Since when the oldest job of each kind has waited for a worker.
    package var oldestQueued: [String: MonotonicInstant] = [:]
    /// When the oldest run that has not ended was handed out.
    package var oldestRunning: MonotonicInstant?

    package init() {}
}

extension Dispatcher {
    /// The connected workers, by name.
    package var workers: [WorkerSummary] {
        state.withLock { state in state.workers.values.map(WorkerSummary.init) }.sorted { $0.name < $1.name }
    }

    /// The names of the connected workers.
    package var workerNames: Set<String> { state.withLock { Set($0.workers.values.lazy.map(\.introduction.name)) } }

    /// Whether a connected worker accepts jobs of this kind. Just after the gateway's start it is also true while none
    /// does yet.
    package func hasWorker(for kind: JobKind, now: MonotonicInstant = .now()) -> Bool {
        state.withLock { $0.hasWorker(for: KindVersion(kind: kind.name, version: kind.version), now: now) }
    }

    package var ages: QueueAges { state.withLock(\.ages) }

    /// The metrics that workers have reported.
    package func workerMetrics(now: MonotonicInstant = .now()) -> [WorkerReports.Process] {
        reports.withLock { $0.processes(now: now, fresh: settings.lease) }
    }
}

extension WorkerSummary {
    init(_ worker: ConnectedWorker) {
        introduction = worker.introduction
        connectedAt = worker.connectedAt
        lastHeard = worker.lastHeard
        held = worker.held.count
        free = worker.free
        isDraining = worker.isDraining
        jobs = worker.held.sorted { ($0.value.handedAt, $0.key) < ($1.value.handedAt, $1.key) }.prefix(Self.maximumJobs)
            .map { Job(id: $0.key, kind: $0.value.job.kind.kind, run: $0.value.run, handedAt: $0.value.handedAt) }
    }
}

extension DispatchState {
    func hasWorker(for kind: KindVersion, now: MonotonicInstant) -> Bool {
        now < workersAppearUntil || workers.values.contains { !$0.isDraining && $0.kinds.contains(kind) }
    }

    var ages: QueueAges {
        var ages = QueueAges()
        func note(_ since: MonotonicInstant, _ kind: String) {
            ages.oldestQueued[kind] = min(since, ages.oldestQueued[kind] ?? since)
        }
        for (kind, since) in ready.oldest { note(since, kind.kind) }
        for group in groups.values { for job in group.members { note(job.since, job.kind.kind) } }
        let held = workers.values.lazy.map(\.held) + orphans.values.lazy
        ages.oldestRunning = held.compactMap { $0.values.lazy.map(\.handedAt).min() }.min()
        return ages
    }
}
