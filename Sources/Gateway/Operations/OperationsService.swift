import Accounts
import Contracts
import JobStorage
import Jobs
import Messaging
import Model
import PermitStorage
import Storage
import Synchronization
import Telemetry

/// The operators' view of the whole installation: the gateway's own metrics, the metrics that workers report, and the
/// state of the database.
package struct OperationsService: Sendable {
    /// The gateway's name among the processes.
    static let processName = "api-gateway"

    let queue: JobQueue
    let metrics: MetricRegistry
    let series = SeriesRecorder()

    package init(queue: JobQueue, router: MessageRouter, metrics: MetricRegistry) {
        self.queue = queue
        self.metrics = metrics
        metrics.addSource { [database = queue.database] in database.writeStatistics.collect(into: &$0) }
        metrics.addSource { [router] in router.statistics.collect(into: &$0) }
        metrics.addSource(ProcessMetrics.collect)
    }

    /// The metrics of every process, the gateway's first.
    func processes(now: MonotonicInstant = .now()) -> [WorkerReports.Process] {
        [WorkerReports.Process(name: Self.processName, metrics: metrics.snapshot(), reportedAt: now)]
            + queue.dispatcher.workerMetrics(now: now)
    }

    /// The state that all processes share, at one moment.
    struct Installation: Sendable {
        var counts: [String: [JobState: Int]]
        /// The number of jobs in the list of dead letters.
        var deadLetters: Int
        var permits: [PermitStatus]
        var workers: [WorkerSummary]
        var ages: QueueAges
        var eventStreams: Int
        var logSize: Int64
        var cleaning = CleaningState()
        /// Erased users who still have rows.
        var unfinishedErasures = 0
        /// When the state was read.
        var at: MonotonicInstant

        func count(_ state: JobState) -> Int {
            counts.values.reduce(0) { $0 + ($1[state] ?? 0) }
        }
    }

    func installation() async throws -> Installation {
        let (counts, permits, cleaning, erasures) = try await queue.database.read {
            (
                try $0.jobs.jobCountsByKind(), try $0.permits.permitStatus(), try $0.cleaningState(),
                try $0.accounts.erasureBacklog().count
            )
        }
        return Installation(
            counts: counts, deadLetters: queue.kinds.deadLetters(among: counts), permits: permits,
            workers: queue.dispatcher.workers, ages: queue.dispatcher.ages,
            eventStreams: queue.events.openStreams, logSize: queue.database.logSize, cleaning: cleaning,
            unfinishedErasures: erasures, at: .now())
    }
}

extension OperationsService.Installation {
    /// The metrics of the scope `installation`.
    func snapshot(reports: [WorkerReports.Process]) -> MetricSnapshot {
        var snapshot = MetricSnapshot()
        for (kind, states) in counts {
            for state in JobState.allCases { snapshot.set(.jobs, [kind, state.rawValue], to: states[state] ?? 0) }
        }
        snapshot.set(.deadLetters, to: deadLetters)
        func age(_ since: MonotonicInstant?) -> Int { max(0, Int(at.microseconds - (since ?? at).microseconds)) }
        for kind in counts.keys { snapshot.set(.queueAge, [kind], to: age(ages.oldestQueued[kind])) }
        snapshot.set(.runningAge, to: age(ages.oldestRunning))
        snapshot.set(.workers, to: workers.count)
        for worker in workers {
            snapshot.set(.workerHeldJobs, [worker.name], to: worker.held)
            snapshot.set(.workerCredit, [worker.name], to: worker.free)
        }
        for report in reports {
            if let reportedAt = report.reportedAt, report.name != OperationsService.processName {
                snapshot.set(.reportAge, [report.name], to: age(reportedAt))
            }
        }
        snapshot.set(.eventStreams, to: eventStreams)
        snapshot.set(.databaseLogSize, to: Int(logSize))
        snapshot.set(.erasures, to: unfinishedErasures)
        let due = cleaning.logDueSince.map { max(0, $0.duration(to: .now()).microseconds) }
        snapshot.set(.cleaningDue, to: Int(due ?? 0))
        snapshot.set(.cleaningPage, to: Int(cleaning.nextPage ?? 0))
        for status in permits {
            let labels = [status.provider, status.credential]
            snapshot.set(.permits, labels + ["free"], to: status.free)
            snapshot.set(.permits, labels + ["busy"], to: status.busy)
            snapshot.set(.permitsWaiting, labels, to: status.waiting)
            let pause = status.pause.map { Timestamp.now().duration(to: $0.until).microseconds } ?? 0
            snapshot.set(.permitPause, labels, to: Int(max(0, pause)))
        }
        return snapshot
    }
}

extension PermitStatus {
    /// The fingerprint of the credential, never the credential itself.
    var credential: String { String(key.dropFirst(provider.count + 1)) }
}

extension MetricsPage {
    /// A page of all families. Those of the scope `process` carry the label `process`.
    init(installation: MetricSnapshot, processes: [WorkerReports.Process]) {
        self.init()
        for family in MetricFamily.all {
            switch family.scope {
            case .installation:
                add(family, installation.series(of: family).map { (Self.labels(family, $0), $0.values) })
            case .process:
                let samples = processes.flatMap { process in
                    process.metrics.series(of: family).map {
                        (labels: [("process", process.name)] + Self.labels(family, $0), values: $0.values) as Sample
                    }
                }
                add(family, samples)
            }
        }
    }

    private static func labels(
        _ family: MetricFamily, _ series: MetricSnapshot.Series
    ) -> [(name: String, value: String)] {
        zip(family.labels, series.labels).map { (name: $0, value: $1) }
    }
}
