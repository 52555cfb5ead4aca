import Contracts
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("Runs that have ended before they begin", .timeLimit(.minutes(5)))
struct GoneRunTests {
    @Test("A long job whose run has ended is dropped without running its handler and without an error")
    func endedRunIsDropped() async throws {
        try await withDatabase { database, _ in
            let (log, ends, ran) = (LogRecorder(level: .notice), Collector<[RunReport]>(), Collector<Void>())
            let handler = JobHandler(.test, keeping: StateRule<Int>()) { _ in
                ran.append(())
                return JobResult("{}")
            }
            let runtime = WorkerRuntime(
                name: "w", instance: WorkerInstance.make(name: "w"), processID: 1, handlers: [handler], concurrency: 1,
                database: database, settings: Engine.settings,
                hasNewCredential: { _, _, _, _, _ in false }, logger: log.logger)
            runtime.connect { frame in
                guard case .done(let ended, _)? = try? WorkerMessage(decoding: frame), !ended.isEmpty else { return }
                ends.append(ended)
            } reconnect: {
            }
            // A first run reads nothing.
            let job = AssignedJob(
                run: JobRun(jobID: "gone", run: 2), userID: "u", kind: JobKind.test.name, version: 1, attempt: 2,
                maximumAttempts: 3, priority: 0, payload: "{}")
            runtime.receive(GatewayMessage.jobs(sequence: 1, [job]).encoded())
            #expect(await ends.wait(for: 1) == [[RunReport(run: job.run, outcome: .stale)]])
            #expect(runtime.load.withLock { $0.isEmpty })
            #expect(ran.elements.isEmpty)
            #expect(!log.lines.contains { $0.message == "a job failed unexpectedly" })
        }
    }
}
