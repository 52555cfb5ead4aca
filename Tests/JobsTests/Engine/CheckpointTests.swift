import Contracts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs

extension Int: CheckpointState {
    public var workDone: Int { self }
}

extension String: CheckpointState {
    public var workDone: Int { 0 }
}

@Suite("Jobs with checkpoints", .timeLimit(.minutes(5)))
struct CheckpointTests {
    private func withSteps(_ body: (Engine) async throws -> Void) async throws {
        try await Engine.run { engine in
            try await engine.database.write {
                try $0.run("CREATE TABLE steps (job_id TEXT NOT NULL, step BIGINT NOT NULL, run BIGINT NOT NULL)")
            }
            try await body(engine)
        }
    }

    private func steps(_ engine: Engine) async throws -> [(step: Int, run: Int)] {
        try await engine.database.read {
            try $0.rows("SELECT step, run FROM steps ORDER BY step").map { (try $0["step"], try $0["run"]) }
        }
    }

    private func states(_ engine: Engine) async throws -> [String] {
        try await engine.database.read { try $0.rows("SELECT state FROM job_checkpoints").map { try $0["state"] } }
    }

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
            return JobOutcome(result: "\(step)")
        }
    }

    @Test("Another worker continues at a lost worker's checkpoint, and later writes of the lost one are refused")
    func lostWorker() async throws {
        try await withSteps { engine in
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
            let steps = try await steps(engine)
            #expect(steps.map(\.step) == Array(0..<6))
            #expect(Set(steps.map(\.run)).count == 2)
            let job = try #require(try await engine.job(id))
            #expect(job.result == "6" && job.attempt == 1)
            #expect(try await states(engine).isEmpty)
        }
    }

    @Test("A refused checkpoint cancels the handler's task and frees its place")
    func fence() async throws {
        try await withSteps { engine in
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
            #expect(try await steps(engine).map(\.step) == [0, 0, 1, 1, 2, 3, 4, 5])
        }
    }

    @Test("Progress resets the attempts; an equal state or one that goes back and forth does not")
    func attempts() async throws {
        try await withSteps { engine in
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test, keeping: StateRule<Int>()) { context in
                        let state = context.state ?? 0
                        guard state < 6 else { return JobOutcome(result: "\(state)") }
                        switch context.job.payload {
                        case "1": try await context.checkpoint(state + 1)
                        case "2": try await context.checkpoint(1)
                        default:
                            try await context.checkpoint(2)
                            try await context.checkpoint(1)
                        }
                        throw JobFailure(code: "no", message: "No.", remedy: .retry(after: .zero))
                    }
                ])
            let moving = try await engine.submit(payload: "1")[0]
            let (stuck, turning) = (try await engine.submit(payload: "2")[0], try await engine.submit(payload: "3")[0])
            try await engine.untilCounts { $0 == [.succeeded: 1, .failed: 2] }
            #expect(try await engine.job(moving)?.result == "6")
            let attempts = try await engine.database.read { reader in
                try [moving, stuck, turning].map { try reader.jobs.attempts(jobID: $0).map(\.attempt) }
            }
            #expect(attempts == [[1, 1, 1, 1, 1, 1], [1, 2, 3], [1, 2, 3]])
            // A requeued dead letter continues there.
            #expect(try await states(engine) == ["1", "1"])
        }
    }

    @Test("A job that kills its worker is set aside after three deaths alone, whatever its checkpoints")
    func poison() async throws {
        try await withSteps { engine in
            let reached = Collector<Void>()
            func startWorker() -> String {
                engine.startWorker(
                    "w1",
                    handlers: [
                        JobHandler(.test, keeping: StateRule<Int>()) { context in
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
                            return JobOutcome(result: "{}")
                        }
                    ])
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
            #expect(try await steps(engine).count == 8)
            #expect(try await states(engine) == ["-2"])
        }
    }

    @Test("A job that is postponed or waits for a credential keeps its state")
    func waits() async throws {
        try await withSteps { engine in
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test, keeping: StateRule<Int>()) { context in
                        let state = context.state ?? 0
                        try await context.checkpoint(state + 1)
                        switch state {
                        case 0: throw JobFailure(code: "no", message: "No.", remedy: .postpone(until: .now()))
                        case 1: throw JobFailure(code: "no", message: "No.", remedy: .awaitCredential(.spotify))
                        default: return JobOutcome(result: "\(state)")
                        }
                    }
                ])
            let id = try await engine.submit()[0]
            while try await engine.job(id)?.awaits == nil { await Task.yield() }
            #expect(try await states(engine) == ["2"])
            try await engine.database.write {
                try $0.jobs.resumeJobs(userID: "u", awaiting: "spotify", now: .now())
            }
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            #expect(try await engine.job(id)?.result == "2")
        }
    }

    @Test("A state that is too large fails the job, and no part of the checkpoint is written")
    func tooLarge() async throws {
        try await withSteps { engine in
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test, keeping: StateRule<String>()) { context in
                        try await context.checkpoint(String(repeating: "x", count: 65_534))
                        try await context.checkpoint(String(repeating: "y", count: 65_535)) { transaction, _ in
                            try transaction.run("INSERT INTO steps (job_id, step, run) VALUES ('', 1, 1)")
                        }
                        return JobOutcome(result: "{}")
                    }
                ])
            let id = try await engine.submit()[0]
            try await engine.untilCounts { $0 == [.failed: 1] }
            #expect(try await engine.job(id)?.errorCode == "stateTooLarge")
            #expect(try await steps(engine).isEmpty)
            #expect(try await states(engine).first?.hasPrefix("\"xxx") == true)
        }
    }

    @Test("An error of a checkpoint's rows reaches the handler, and nothing is written")
    func refusedRows() async throws {
        try await withSteps { engine in
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test, keeping: StateRule<Int>()) { context in
                        try await context.checkpoint(1) { transaction, _ in
                            try transaction.run("INSERT INTO steps (job_id, step, run) VALUES ('', 1, 1)")
                            throw JobFailure(code: "asAsked", message: "No.", remedy: .none)
                        }
                        return JobOutcome(result: "{}")
                    }
                ])
            let id = try await engine.submit()[0]
            try await engine.untilCounts { $0 == [.failed: 1] }
            #expect(try await engine.job(id)?.errorCode == "asAsked")
            #expect(try await steps(engine).isEmpty)
            #expect(try await states(engine).isEmpty)
        }
    }

    @Test("A checkpoint may submit jobs, which run")
    func followUps() async throws {
        try await withSteps { engine in
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test, keeping: StateRule<Int>()) { context in
                        guard context.job.payload == "1" else { return .effect(of: context.job) }
                        try await context.checkpoint(1) { transaction, submissions in
                            try submissions.submit(NewJob(kind: .test, payload: "2"), userID: "u", in: transaction)
                        }
                        return JobOutcome(result: "{}")
                    }
                ])
            _ = try await engine.submit(payload: "1")
            try await engine.untilCounts { $0 == [.succeeded: 2] }
            #expect(try await engine.effects().count == 1)
        }
    }

    // MARK: Draining and time limits

    @Test("No time limit ends a run while its checkpoint is being written")
    func limits() async throws {
        try await withSteps { engine in
            let (epochs, overdue) = (Collector<String>(), Collector<Int>())
            let look: @Sendable (WorkerRuntime?) -> Void = { runtime in
                // This happens on a copy, so that nothing ends.
                var load = runtime?.load.withLock { $0 }
                overdue.append(load?.removeOverdue(now: .now().advanced(by: .seconds(9_999))).count ?? -1)
            }
            epochs.append(
                engine.startWorker(
                    "w1",
                    handlers: [
                        JobHandler(.test, keeping: StateRule<Int>()) { [weak engine] context in
                            let runtime = engine?.runtime(epochs.elements[0])
                            try await context.checkpoint(1) { _, _ in look(runtime) }
                            look(runtime)
                            return JobOutcome(result: "{}")
                        }
                    ]))
            _ = try await engine.submit()
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            #expect(overdue.elements == [0, 1])
        }
    }

    @Test("A draining worker hands a job back at its next checkpoint, and another continues at once")
    func drain() async throws {
        try await withSteps { engine in
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
            #expect(try await steps(engine).map(\.step) == [0, 1, 2, 3])
            engine.startWorker("w2", handlers: [handler(6)])
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            #expect(try await steps(engine).map(\.step) == Array(0..<6))
            #expect(try await engine.database.read { try $0.jobs.attempts(jobID: id) }.isEmpty)
        }
    }
}
