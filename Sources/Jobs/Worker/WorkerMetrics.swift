import Contracts
import Model
import Synchronization
import Telemetry

/// A worker's metrics, and its reports to the gateway.
final class WorkerMetrics: Sendable {
    private let jobs: JobMetrics
    /// The histograms by kind, so that no lock is taken for each job.
    private let runTimes: [String: Histogram]
    private let successes: [String: Counter]
    private let lastReport = Atomic<Int64>(0)

    init(_ registry: MetricRegistry, kinds: [String]) {
        jobs = JobMetrics(registry)
        let kinds = Set(kinds)
        runTimes = Dictionary(
            uniqueKeysWithValues: kinds.map { ($0, registry.histogram(.runTime, [$0])) })
        successes = Dictionary(
            uniqueKeysWithValues: kinds.map {
                ($0, registry.counter(.jobRuns, [$0, JobMetrics.Outcome.succeeded.rawValue]))
            })
    }

    func ran(kind: String, for duration: Duration) {
        runTimes[kind]?.observe(duration)
    }

    func ended(kind: String, _ outcome: JobMetrics.Outcome) {
        if outcome == .succeeded, let counter = successes[kind] {
            counter.add()
        } else {
            jobs.ended(kind: kind, outcome)
        }
    }

    func unreadableFrame() {
        jobs.unreadableFrame()
    }

    func nextReport() -> MetricReport {
        MetricReport(
            sequence: lastReport.wrappingAdd(1, ordering: .relaxed).newValue, snapshot: jobs.registry.snapshot())
    }
}
