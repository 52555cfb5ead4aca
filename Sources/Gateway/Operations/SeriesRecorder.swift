import Model
import PermitStorage
import Synchronization
import Telemetry

/// Samples of the last half hour, one every five seconds, for the charts of the operations page. They are in memory;
/// Prometheus can store longer series (`GET /metrics`).
final class SeriesRecorder: Sendable {
    static let interval = Duration.seconds(5)
    static let capacity = 360

    /// One interval, measured at its end.
    struct Sample: Sendable, Equatable {
        var at: Timestamp
        /// Jobs that succeeded or finally failed in the interval.
        var finished: Int
        var failed: Int
        /// Quantiles in milliseconds; `nil` when no job was dispatched, or none ran.
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

    /// The counters of one process since its start.
    struct Totals: Sendable, Equatable {
        var succeeded: Int
        var failed: Int
        var dispatch: [Int64]
        var run: [Int64]
    }

    private struct State {
        var samples: [Sample] = []
        /// The totals of the last call, by process.
        var last: [String: Totals]?
    }

    private let state = Mutex(State())

    var samples: [Sample] { state.withLock(\.samples) }

    /// Adds a sample of what happened since the last call.
    ///
    /// The first call adds none. The first totals of a process are not counted either: they may cover days.
    func record(_ totals: [String: Totals], _ installation: OperationsService.Installation, at moment: Timestamp) {
        state.withLock { state in
            defer { state.last = totals }
            guard let last = state.last else { return }
            var change = Totals()
            for (process, now) in totals { if let before = last[process] { change.add(now, since: before) } }
            let oldest = installation.ages.oldestQueued.values.min()
            let age = oldest.map { max(0, $0.duration(to: installation.at).microseconds) } ?? 0
            state.samples.append(
                Sample(
                    at: moment, finished: change.succeeded + change.failed, failed: change.failed,
                    dispatch: Quantiles(of: change.dispatch), run: Quantiles(of: change.run),
                    queueAgeSeconds: Double(age) / 1_000_000,
                    permitsFree: installation.permits.reduce(0) { $0 + $1.free },
                    permitsBusy: installation.permits.reduce(0) { $0 + $1.busy }, workers: installation.workers.count))
            if state.samples.count > Self.capacity { state.samples.removeFirst() }
        }
    }
}

extension SeriesRecorder.Quantiles {
    /// The quantiles of a histogram of times; `nil` when it is empty.
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

extension OperationsService {
    /// Takes one sample. The upkeep calls it every ``SeriesRecorder/interval``.
    func recordSeries() async throws {
        // A database that cannot be read leaves a gap in the charts.
        let installation = try await installation()
        let totals = processes().map { ($0.name, SeriesRecorder.Totals($0.metrics)) }
        series.record(Dictionary(uniqueKeysWithValues: totals), installation, at: .now())
    }
}
