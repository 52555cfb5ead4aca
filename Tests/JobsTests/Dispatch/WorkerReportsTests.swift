import Contracts
import Model
import Telemetry
import Testing

@testable import Jobs

@Suite("Workers' metric reports")
struct WorkerReportsTests {
    private let start = MonotonicInstant(microseconds: 1_000_000_000)

    private func report(_ sequence: Int64, commits: Int, memory: Int = 5) -> MetricReport {
        var snapshot = MetricSnapshot()
        snapshot.set(.databaseCommits, to: commits)
        snapshot.set(.processMemory, to: memory)
        return MetricReport(sequence: sequence, snapshot: snapshot)
    }

    private func shown(_ reports: inout WorkerReports, at now: MonotonicInstant) -> [String: [Int64]] {
        Dictionary(
            uniqueKeysWithValues: reports.processes(now: now, fresh: .seconds(10)).map { process in
                (
                    process.name,
                    (process.metrics.values(.databaseCommits) ?? []) + (process.metrics.values(.processMemory) ?? [])
                )
            })
    }

    @Test("The last report counts, and late or repeated ones are ignored")
    func lastReportCounts() {
        var reports = WorkerReports()
        reports.record(report(2, commits: 20), from: "w/1", now: start)
        reports.record(report(1, commits: 10), from: "w/1", now: start)
        reports.record(report(2, commits: 99), from: "w/1", now: start)
        #expect(shown(&reports, at: start) == ["w": [20, 5]])
        reports.record(report(3, commits: 30, memory: 4), from: "w/1", now: start)
        #expect(shown(&reports, at: start) == ["w": [30, 4]])
    }

    @Test("A counter never falls when a worker restarts, and late reports of the earlier process are ignored")
    func restartedWorker() {
        var reports = WorkerReports()
        reports.record(report(9, commits: 100), from: "w/1", now: start)
        reports.record(report(1, commits: 3), from: "w/2", now: start)
        reports.record(report(10, commits: 200), from: "w/1", now: start)
        #expect(shown(&reports, at: start) == ["w": [103, 5]])
        reports.record(report(1, commits: 1), from: "w/3", now: start)
        #expect(shown(&reports, at: start) == ["w": [104, 5]])
    }

    @Test("A worker that restarts after the wall clock was set back is counted once the earlier process is silent")
    func clockSetBack() {
        var reports = WorkerReports()
        reports.record(report(9, commits: 100), from: "w/2", now: start)
        let soon = start.advanced(by: WorkerReports.lateness)
        reports.record(report(1, commits: 3), from: "w/1", now: soon)
        #expect(shown(&reports, at: soon) == ["w": [100, 5]])
        let later = soon.advanced(by: .seconds(1))
        reports.record(report(2, commits: 4), from: "w/1", now: later)
        #expect(shown(&reports, at: later) == ["w": [104, 5]])
    }

    @Test("Gauges end with the reports; counters remain, and are later added to `gone`")
    func silentWorker() {
        var reports = WorkerReports()
        reports.record(report(1, commits: 7), from: "w/1", now: start)
        reports.record(report(2, commits: 8), from: "w/2", now: start)
        reports.record(report(1, commits: 1), from: "v/1", now: start)
        #expect(shown(&reports, at: start.advanced(by: .seconds(11))) == ["w": [15], "v": [1]])
        let later = start.advanced(by: WorkerReports.memory + .seconds(1))
        reports.record(report(2, commits: 2), from: "v/1", now: later)
        #expect(shown(&reports, at: later) == ["gone": [15], "v": [2, 5]])
        // The counters are added once, however often they are read.
        #expect(shown(&reports, at: later) == ["gone": [15], "v": [2, 5]])
    }

    @Test("A report from an unknown worker is answered with IDENTIFY")
    func unknownWorker() {
        var fixture = DispatchFixture()
        fixture.say(.metrics(report(1, commits: 1)), from: "w/1")
        #expect(fixture.sent.map(\.message) == [.identify])
        #expect(fixture.asked.isEmpty)
        fixture.hello("w/1", credit: 1)
        fixture.say(.metrics(report(2, commits: 1)), from: "w/1")
        #expect(fixture.asked.contains(.report(report(2, commits: 1), from: "w/1")))
    }
}
