import Model
import Synchronization
import Telemetry

/// The last half hour, a sample every five seconds: what the charts of the operations page show. It lives in
/// memory; whoever wants more has Prometheus.
final class SeriesRecorder: Sendable {
    static let interval = Duration.seconds(5)
    static let capacity = 360

    /// One interval, told at its end.
    struct Sample: Sendable, Equatable {
        var at: Timestamp
        /// Jobs that succeeded or failed for good in the interval.
        var finished: Int
        var failed: Int
        /// Milliseconds; `nil` when nothing was dispatched, or ran.
        var dispatch: Quantiles?
        var run: Quantiles?
        var queueAgeSeconds: Double
        var permitsFree: Int
        var permitsBusy: Int
        var workers: Int
    }

    struct Quantiles: Sendable, Equatable {
        var p50: Double
        var p99: Double
    }

    /// What a process has done since its start.
    struct Totals: Sendable, Equatable {
        var succeeded: Int
        var failed: Int
        var dispatch: [Int64]
        var run: [Int64]
    }

    private struct State {
        var samples: [Sample] = []
        /// By process.
        var last: [String: Totals]?
    }

    private let state = Mutex(State())

    var samples: [Sample] { state.withLock(\.samples) }

    /// Adds what has come since the last call; the first only sets the beginning, and so does the first word of
    /// each process, which may tell of days.
    func record(_ totals: [String: Totals], _ installation: OperationsDesk.Installation, at moment: Timestamp) {
        state.withLock { state in
            defer { state.last = totals }
            guard let last = state.last else { return }
            var news = Totals()
            for (process, now) in totals { if let before = last[process] { news.add(now, since: before) } }
            let oldest = installation.ages.oldestQueued.values.min()
            let age = oldest.map { max(0, $0.duration(to: installation.at).microseconds) } ?? 0
            state.samples.append(
                Sample(
                    at: moment, finished: news.succeeded + news.failed, failed: news.failed,
                    dispatch: Quantiles(of: news.dispatch), run: Quantiles(of: news.run),
                    queueAgeSeconds: Double(age) / 1_000_000,
                    permitsFree: installation.permits.reduce(0) { $0 + $1.free },
                    permitsBusy: installation.permits.reduce(0) { $0 + $1.busy }, workers: installation.workers.count))
            if state.samples.count > Self.capacity { state.samples.removeFirst() }
        }
    }
}

extension SeriesRecorder.Quantiles {
    /// Of a histogram of times.
    init?(of values: [Int64]) {
        guard let p50 = Histogram.quantile(0.5, of: values, bounds: .times),
            let p99 = Histogram.quantile(0.99, of: values, bounds: .times)
        else { return nil }
        self.init(p50: p50 / 1_000, p99: p99 / 1_000)
    }
}

extension SeriesRecorder.Totals {
    init() {
        let nothing = [Int64](repeating: 0, count: MetricFamily.runTime.width)
        self.init(succeeded: 0, failed: 0, dispatch: nothing, run: nothing)
    }

    init(_ process: MetricSnapshot) {
        func runs(_ outcomes: Set<String>) -> Int { Int(process.sum(of: .jobRuns) { outcomes.contains($0[1]) }[0]) }
        self.init(
            succeeded: runs(["succeeded"]), failed: runs(["failed", "poison"]),
            dispatch: process.sum(of: .dispatchTime), run: process.sum(of: .runTime))
    }

    mutating func add(_ now: Self, since before: Self) {
        func rise(_ now: Int64, _ before: Int64) -> Int64 { max(0, now - before) }
        succeeded += max(0, now.succeeded - before.succeeded)
        failed += max(0, now.failed - before.failed)
        dispatch = zip(dispatch, zip(now.dispatch, before.dispatch)).map { $0 + rise($1.0, $1.1) }
        run = zip(run, zip(now.run, before.run)).map { $0 + rise($1.0, $1.1) }
    }
}

extension OperationsDesk {
    /// Takes a sample every interval until the task is cancelled.
    func recordSeries() async throws {
        // A database that cannot be read leaves a gap in the charts.
        let installation = try await installation()
        let totals = processes().map { ($0.name, SeriesRecorder.Totals($0.metrics)) }
        series.record(Dictionary(uniqueKeysWithValues: totals), installation, at: .now())
    }
}
