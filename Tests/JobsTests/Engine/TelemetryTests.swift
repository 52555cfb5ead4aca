import Contracts
import Model
import Storage
import Synchronization
import Telemetry
import TestSupport
import Testing

@testable import Jobs

@Suite("The engine's metrics", .timeLimit(.minutes(5)))
struct EngineTelemetryTests {
    /// All observations of a histogram.
    private func count(_ values: [Int64]) -> Int64 { values.dropLast().reduce(0, +) }

    private func sum(_ engine: Engine, _ family: MetricFamily, _ isWanted: @escaping ([String]) -> Bool) -> [Int64] {
        let reported = engine.queue.dispatcher.workerMetrics()
        return reported.reduce(Array(repeating: 0, count: family.width)) {
            zip($0, $1.metrics.sum(of: family, where: isWanted)).map(+)
        }
    }

    @Test("Submissions, dispatches, runs and outcomes are counted by kind")
    func countedByKind() async throws {
        try await Engine.run(settings: JobSettings(heartbeat: .milliseconds(250))) { engine in
            // There is room for all jobs at once: on a busy machine a worker hands back jobs that wait for long.
            engine.startWorker(
                "w", concurrency: 64,
                handlers: [
                    .diagnosticsEcho,
                    JobHandler(.test) { _ in throw JobFailure(code: "no", message: "No.", remedy: .none) },
                ])
            _ = try await engine.submit(30, kind: .diagnosticsEcho)
            _ = try await engine.submit(5)
            try await engine.untilCounts { $0 == [.succeeded: 30, .failed: 5] }
            let kind = JobKind.test.name
            // Reports come with heartbeats, and nothing signals their arrival.
            while sum(engine, .jobRuns, { _ in true })[0] < 35 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(sum(engine, .jobRuns) { $0 == [JobKind.diagnosticsEcho.name, "succeeded"] } == [30])
            #expect(sum(engine, .jobRuns) { $0 == [kind, "failed"] } == [5])
            #expect(count(sum(engine, .runTime) { $0 == [kind] }) == 5)
            let gateway = engine.queue.dispatcher.metrics.registry.snapshot()
            #expect(gateway.values(.jobsSubmitted, [kind]) == [5])
            #expect(gateway.values(.jobsSubmitted, [JobKind.diagnosticsEcho.name]) == [30])
            #expect(count(gateway.sum(of: .dispatchTime)) == 35)
        }
    }

    @Test("A handler runs in its job's log context, with the trace of the submitting request")
    func logContextOfAHandler() async throws {
        try await Engine.run { engine in
            let seen = Mutex<LogContext?>(nil)
            engine.startWorker(
                "w",
                handlers: [
                    JobHandler(.test) { _ in
                        // Tasks that a handler starts also have the context.
                        let context = await Task { LogContext.current }.value
                        seen.withLock { $0 = context }
                        return JobResult("{}")
                    }
                ])
            let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
            let ids = try await LogContext.$current.withValue(LogContext(trace: trace)) {
                try await engine.submit(1)
            }
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            let context = seen.withLock { $0 }
            #expect(context?.trace == trace)
            #expect(context?.job?.id == ids[0] && context?.job?.kind == JobKind.test.name)
            #expect(context?.job?.attempt == 1 && context?.job?.userID == "u")
        }
    }
}
