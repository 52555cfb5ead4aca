import Contracts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("Jobs with checkpoints whose runs end early", .timeLimit(.minutes(5)))
struct CheckpointHandoverTests {
    /// Writes a row for each step.
    ///
    /// - Parameter before: called before each step.
    private func handler(
        _ count: Int, before: @escaping @Sendable (Int, LongJobContext<Int>) async throws -> Void = { _, _ in },
        onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) -> JobHandler {
        JobHandler(.test, keeping: StateRule<Int>()) { context in
            var step = context.state ?? 0
            while step < count {
                try await before(step, context)
                do {
                    try await context.checkpoint(step + 1) { [step] transaction, _ in
                        let run = context.job.run
                        try transaction.run(
                            "INSERT INTO steps (job_id, step, run) VALUES (\(run.jobID), \(step), \(run.run))")
                    }
                } catch {
                    onError(error)
                    throw error
                }
                step += 1
            }
            return JobResult("\(step)")
        }
    }

    @Test("Another worker continues at a lost worker's checkpoint, and later writes of the lost one are refused")
    func lostWorker() async throws {
        try await Engine.runWithSteps { engine in
            let (reached, gate, errors) = (Collector<Void>(), Collector<Void>(), Collector<Bool>())
            let first = engine.startWorker(
                "w1",
                handlers: [
                    handler(6) { step, _ in
                        guard step == 3 else { return }
                        reached.append(())
                        // The handler ignores its cancellation.
                        _ = await Task.detached { await gate.wait(for: 1) }.value
                    } onError: { error in
                        errors.append(error is CancellationError)
                    }
                ])
            let id = try await engine.submit()[0]
            await reached.wait(for: 1)
            engine.line.cut(first)
            engine.startWorker("w2", handlers: [handler(6)])
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            gate.append(())
            #expect(await errors.wait(for: 1) == [true])
            await engine.runtime(first)?.drain(grace: .seconds(30))
            let steps = try await engine.steps()
            #expect(steps.map(\.step) == Array(0..<6))
            #expect(Set(steps.map(\.run)).count == 2)
            let job = try #require(try await engine.job(id))
            #expect(job.result == "6" && job.attempt == 1)
            #expect(try await engine.checkpoints().isEmpty)
        }
    }

    @Test("A refused checkpoint cancels the handler's task and frees its place")
    func refusedCheckpoint() async throws {
        try await Engine.runWithSteps { engine in
            let (reached, gate, ended) = (Collector<Void>(), Collector<Void>(), Collector<Bool>())
            engine.startWorker(
                "w1", concurrency: 1,
                handlers: [
                    handler(6) { step, context in
                        if context.job.payload == "1", step == 2 {
                            reached.append(())
                            _ = await Task.detached { await gate.wait(for: 1) }.value
                        }
                    } onError: { _ in
                        ended.append(Task.isCancelled)
                    }
                ])
            let id = try await engine.submit(payload: "1")[0]
            await reached.wait(for: 1)
            // The job is cancelled by another process, without a message to the gateway or the worker.
            try await engine.database.write { try $0.jobs.eraseJob(id: id) }
            gate.append(())
            #expect(await ended.wait(for: 1) == [true])
            _ = try await engine.submit(payload: "2")
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            #expect(try await engine.steps().map(\.step) == [0, 0, 1, 1, 2, 3, 4, 5])
        }
    }

    @Test("A job that kills its worker is set aside after three deaths alone, whatever its checkpoints")
    func poisonJobWithCheckpoints() async throws {
        try await Engine.runWithSteps { engine in
            let reached = Collector<Void>()
            func startWorker() -> String {
                engine.startWorker(keeping: Int.self) { context in
                    // Like a write that is sent and undone: rows change, but no work is done.
                    for state in [-1, -2] {
                        try await context.checkpoint { transaction, _ in
                            let run = context.job.run
                            try transaction.run(
                                "INSERT INTO steps (job_id, step, run) VALUES (\(run.jobID), 0, \(run.run))")
                            return state
                        }
                    }
                    reached.append(())
                    try await Task.sleep(for: .seconds(3_600))
                    return JobResult("{}")
                }
            }
            var worker = startWorker()
            let id = try await engine.submit()[0]
            for death in 1...4 {
                await reached.wait(for: death)
                engine.line.cut(worker)
                // The next process of the same name has the runs of the last one released.
                worker = startWorker()
            }
            try await engine.untilCounts { $0 == [.failed: 1] }
            let job = try #require(try await engine.job(id))
            #expect(job.errorCode == "poison")
            #expect(try await engine.steps().count == 8)
            #expect(try await engine.checkpoints() == ["-2"])
        }
    }

    @Test("No time limit ends a run while its checkpoint is being written")
    func timeLimitDuringACheckpoint() async throws {
        try await Engine.runWithSteps { engine in
            let (instances, overdue) = (Collector<String>(), Collector<Int>())
            let look: @Sendable (WorkerRuntime?) -> Void = { runtime in
                // This happens on a copy, so that nothing ends.
                var load = runtime?.load.withLock { $0 }
                overdue.append(load?.removeOverdue(now: .now().advanced(by: .seconds(9_999))).count ?? -1)
            }
            instances.append(
                engine.startWorker(
                    "w1",
                    handlers: [
                        JobHandler(.test, keeping: StateRule<Int>()) { [weak engine] context in
                            let runtime = engine?.runtime(instances.elements[0])
                            try await context.checkpoint(1) { _, _ in look(runtime) }
                            look(runtime)
                            return JobResult("{}")
                        }
                    ]))
            _ = try await engine.submit()
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            #expect(overdue.elements == [0, 1])
        }
    }

    @Test("A draining worker hands a job back at its next checkpoint, and another continues at once")
    func drainingWorker() async throws {
        try await Engine.runWithSteps { engine in
            let reached = Collector<Void>()
            let first = engine.startWorker(
                "w1",
                handlers: [
                    handler(6) { step, context in
                        guard step == 3 else { return }
                        reached.append(())
                        while !context.isEnding { await Task.yield() }
                    }
                ])
            let id = try await engine.submit()[0]
            await reached.wait(for: 1)
            // The worker does not need its whole grace period.
            await engine.runtime(first)?.drain(grace: .seconds(240))
            let back = try #require(try await engine.job(id))
            #expect(back.state == .queued && back.attempt == 0)
            #expect(try await engine.steps().map(\.step) == [0, 1, 2, 3])
            engine.startWorker("w2", handlers: [handler(6)])
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            #expect(try await engine.steps().map(\.step) == Array(0..<6))
            #expect(try await engine.database.read { try $0.jobs.attempts(jobID: id) }.isEmpty)
        }
    }
}
