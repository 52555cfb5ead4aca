import Jobs
import Model
import PermitStorage
import Telemetry
import Testing

@testable import Gateway

@Suite("Samples of the operations charts")
struct SeriesRecorderTests {
    private static let start = MonotonicInstant(microseconds: 1_000_000_000)

    private func installation(waitingSince: MonotonicInstant? = nil) -> OperationsService.Installation {
        var ages = QueueAges()
        ages.oldestQueued["k"] = waitingSince
        return OperationsService.Installation(
            counts: [:], deadLetters: 0,
            permits: [
                PermitStatus(
                    key: "p:1", provider: "p", requests: 5, window: .seconds(1), free: 3, busy: 2, pause: nil,
                    waiting: 0)
            ], workers: [.sample], ages: ages, eventStreams: 0, logSize: 0, at: Self.start)
    }

    private func totals(succeeded: Int, failed: Int = 0, runs: [Duration] = []) -> SeriesRecorder.Totals {
        let metrics = MetricRegistry()
        metrics.counter(.jobRuns, ["k", "succeeded"]).add(succeeded)
        metrics.counter(.jobRuns, ["k", "failed"]).add(failed)
        for run in runs { metrics.histogram(.runTime, ["k"]).observe(run) }
        return SeriesRecorder.Totals(metrics.snapshot())
    }

    @Test("A sample covers its interval; a process's first totals are not counted")
    func samplesCoverIntervals() throws {
        let recorder = SeriesRecorder()
        recorder.record(["w": totals(succeeded: 100)], installation(), at: .now())
        #expect(recorder.samples.isEmpty)
        let next = ["w": totals(succeeded: 107, failed: 2, runs: [.milliseconds(7)]), "v": totals(succeeded: 5_000)]
        recorder.record(
            next, installation(waitingSince: Self.start.advanced(by: .milliseconds(-1_500))), at: .now())
        let sample = try #require(recorder.samples.first)
        #expect(sample.finished == 9 && sample.failed == 2)
        #expect((5...10).contains(try #require(sample.run).p50))
        #expect(sample.dispatch == nil)
        #expect(sample.queueAgeSeconds == 1.5)
        #expect(sample.permitsFree == 3 && sample.permitsBusy == 2 && sample.workers == 1)
        recorder.record(next, installation(), at: .now())
        #expect(recorder.samples.last?.finished == 0 && recorder.samples.last?.run == nil)
        #expect(recorder.samples.last?.queueAgeSeconds == 0)
    }

    @Test("The samples of half an hour are stored")
    func storedSamples() {
        let recorder = SeriesRecorder()
        for count in 0...SeriesRecorder.capacity + 10 {
            recorder.record(
                ["w": totals(succeeded: count)], installation(), at: Timestamp(microseconds: Int64(count)))
        }
        #expect(recorder.samples.count == SeriesRecorder.capacity)
        #expect(recorder.samples.last?.at == Timestamp(microseconds: Int64(SeriesRecorder.capacity + 10)))
        #expect(SeriesRecorder.interval * SeriesRecorder.capacity == .seconds(1_800))
    }
}
