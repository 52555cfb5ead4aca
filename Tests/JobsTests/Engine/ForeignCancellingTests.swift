import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("Jobs cancelled by another process", .timeLimit(.minutes(5)))
struct ForeignCancellingTests {
    @Test("The worker is asked to stop when the lease is extended, and accepts other jobs")
    func workerStopsTheRun() async throws {
        try await Engine.run { engine in
            let (started, cancelled) = (Collector<Void>(), Collector<Bool>())
            engine.startWorker(
                "w1", concurrency: 1,
                handlers: [
                    JobHandler(.test) { context in
                        guard context.job.payload == "1" else { return JobResult("{}") }
                        started.append(())
                        do {
                            try await Task.sleep(for: .seconds(3_600))
                        } catch {
                            cancelled.append(Task.isCancelled)
                        }
                        return JobResult("{}")
                    }
                ])
            let id = try await engine.submit(payload: "1")[0]
            await started.wait(for: 1)
            // The command line does it like this, without a message to the gateway.
            _ = try await engine.database.write { try $0.jobs.cancel(jobID: id, userID: "u", now: .now()) }
            #expect(await cancelled.wait(for: 1) == [true])
            _ = try await engine.submit(payload: "2")
            try await engine.untilCounts { $0 == [.cancelled: 1, .succeeded: 1] }
        }
    }
}
