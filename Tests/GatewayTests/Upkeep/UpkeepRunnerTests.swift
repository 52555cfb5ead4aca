import Logging
import Model
import Storage
import Synchronization
import Telemetry
import TestSupport
import Testing

@testable import Gateway

@Suite("Upkeep steps", .timeLimit(.minutes(5)))
struct UpkeepRunnerTests {
    private struct RefusalError: Error {}

    /// Counts the runs of each step.
    private final class Tally: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        func add(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }

        subscript(_ name: String) -> Int { counts.withLock { $0[name] ?? 0 } }
    }

    private let clock = ManualClock()
    private let metrics = MetricRegistry()
    private let log = LogRecorder()

    private func runner(
        _ steps: [UpkeepStep], pruningTime: @escaping @Sendable () async throws -> PruningTime? = { nil }
    ) -> UpkeepRunner<ManualClock> {
        UpkeepRunner(
            [GatewayDomain("first", upkeepSteps: steps), GatewayDomain("second")], clock: clock,
            pruningTime: pruningTime, metrics: metrics, logger: log.logger)
    }

    private func runs(_ step: String, _ outcome: String) -> Int64? {
        metrics.snapshot().values(.upkeepRuns, ["first.\(step)", outcome])?.first
    }

    @Test("Each step runs at its own interval, first at once or after an interval")
    func intervalsOfSteps() async {
        let tally = Tally()
        let runner = runner([
            UpkeepStep("each", every: .seconds(1)) { tally.add("each") },
            UpkeepStep("third", every: .seconds(3), startsAtOnce: true) { tally.add("third") },
        ])
        let task = Task { await runner.run() }
        await clock.untilAsleep(2)
        #expect(tally["each"] == 0 && tally["third"] == 1)
        for second in 1...6 {
            clock.advance(by: .seconds(1))
            await clock.untilAsleep(2)
            #expect(tally["each"] == second && tally["third"] == 1 + second / 3)
        }
        task.cancel()
        await task.value
        #expect(runs("each", "succeeded") == 6 && runs("third", "succeeded") == 3)
        #expect(runs("each", "failed") == nil)
    }

    @Test("A failing step is logged and counted, runs again, and does not stop other steps")
    func failingSteps() async {
        let tally = Tally()
        let runner = runner([
            UpkeepStep("broken", every: .seconds(1), startsAtOnce: true) {
                tally.add("broken")
                throw RefusalError()
            },
            UpkeepStep("whole", every: .seconds(1), startsAtOnce: true) { tally.add("whole") },
        ])
        let task = Task { await runner.run() }
        for second in 1...20 {
            await clock.untilAsleep(2)
            #expect(tally["broken"] == second && tally["whole"] == second)
            clock.advance(by: .seconds(1))
        }
        await clock.untilAsleep(2)
        task.cancel()
        await task.value
        #expect(runs("broken", "failed") == 21 && runs("broken", "succeeded") == nil)
        #expect(runs("whole", "succeeded") == 21)
        #expect(!log.lines.isEmpty && log.lines.count < 21, "repeated errors are left out")
        #expect(
            log.lines.allSatisfy { $0.metadata["step"] == "first.broken" && $0.metadata["error"] == "RefusalError()" })
    }

    @Test("A step that does not end does not delay others, and is not started twice")
    func slowStep() async {
        let tally = Tally()
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let runner = runner([
            UpkeepStep("slow", every: .seconds(1), startsAtOnce: true) {
                tally.add("slow")
                for await _ in gate { return }
            },
            UpkeepStep("quick", every: .seconds(1)) { tally.add("quick") },
        ])
        let task = Task { await runner.run() }
        for second in 0...5 {
            await clock.untilAsleep(1)
            #expect(tally["quick"] == second)
            clock.advance(by: .seconds(1))
        }
        await clock.untilAsleep(1)
        opener.yield()
        await clock.untilAsleep(2)
        #expect(tally["slow"] == 1)
        // The run took six seconds; the next one is due an interval after its end.
        #expect(metrics.snapshot().values(.upkeepTime, ["first.slow"])?.last == 6_000_000)
        opener.finish()
        task.cancel()
        await task.value
    }

    @Test("A pruning step is deferred while the clock is not trusted, and gets the trusted time otherwise")
    func deferredPruning() async {
        let tally = Tally()
        let (times, trusted) = (Collector<Timestamp>(), Collector<PruningTime>())
        let runner = runner(
            [
                UpkeepStep(pruning: "old", every: .seconds(1), startsAtOnce: true) { time in
                    times.append(time.moment)
                },
                UpkeepStep("other", every: .seconds(1), startsAtOnce: true) { tally.add("other") },
            ], pruningTime: { trusted.elements.last })
        let task = Task { await runner.run() }
        await clock.untilAsleep(2)
        #expect(times.elements == [] && runs("old", "deferred") == 1 && runs("old", "succeeded") == nil)
        #expect(tally["other"] == 1 && log.lines.isEmpty)
        let moment = Timestamp(microseconds: 1_000)
        trusted.append(.unguarded(moment))
        clock.advance(by: .seconds(1))
        await clock.untilAsleep(2)
        #expect(times.elements == [moment] && runs("old", "deferred") == 1 && runs("old", "succeeded") == 1)
        task.cancel()
        await task.value
    }

    @Test("A step with runsAtEnd runs once more after all steps have stopped")
    func atEnd() async {
        let tally = Tally()
        let runner = runner([
            UpkeepStep("last", every: .seconds(1), runsAtEnd: true) { tally.add("last") },
            UpkeepStep("other", every: .seconds(1)) { tally.add("other") },
        ])
        let task = Task { await runner.run() }
        await clock.untilAsleep(2)
        task.cancel()
        await task.value
        #expect(tally["last"] == 0)
        await runner.runLast()
        #expect(tally["last"] == 1 && tally["other"] == 0)
    }
}
