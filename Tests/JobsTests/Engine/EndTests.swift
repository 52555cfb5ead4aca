import Contracts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("Ends of jobs", .timeLimit(.minutes(5)))
struct EndTests {
    private static let slow = JobKind(
        name: "slow.kind", version: 1, submitter: .user, maximumRunTime: .milliseconds(20))
    private struct RefusalError: Error {}

    /// Runs `body` with an engine in which each end writes a row.
    private func withEnds(
        settings: JobSettings = Engine.settings, _ body: (Engine, Collector<HookFailure>) async throws -> Void
    ) async throws {
        try await Engine.run(settings: settings) { engine in
            try await engine.database.write { transaction in
                try transaction.run("CREATE TABLE told (job_id TEXT, ending TEXT)")
                try transaction.run("CREATE TABLE refusing (number INTEGER PRIMARY KEY)")
            }
            let refusals = Collector<HookFailure>()
            let ends = [JobKind.test, Self.slow].map { kind in
                CompletionHook(kind: kind.name) { job, transaction in
                    try transaction.run(
                        "INSERT INTO told (job_id, ending) VALUES (\(job.id), \("\(job.ending) \(job.payload)"))")
                    guard try transaction.row("SELECT 1 FROM refusing") == nil else { throw RefusalError() }
                }
            }
            engine.database.register(ends) { refusals.append($0) }
            try await body(engine, refusals)
        }
    }

    private func told(_ engine: Engine) async throws -> [String: [String]] {
        let rows = try await engine.database.read {
            try $0.rows("SELECT job_id, ending FROM told").map {
                (id: try $0["job_id"] as String, ending: try $0["ending"] as String)
            }
        }
        return Dictionary(grouping: rows) { $0.id }.mapValues { $0.map(\.ending) }
    }

    @Test("Workers write the ends of jobs that succeed, fail permanently, run out of attempts or time out")
    func ofWorkers() async throws {
        try await withEnds { engine, _ in
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test) { context in
                        switch context.job.payload {
                        case "1": return JobResult("{}")
                        case "2": return .effect(of: context.job)
                        case "3": throw JobFailure(code: "no", message: "No.", remedy: .none)
                        default: throw JobFailure(code: "again", message: "No.", remedy: .retry(after: .zero))
                        }
                    },
                    JobHandler(Self.slow) { _ in
                        try await Task.sleep(for: .seconds(3_600))
                        return JobResult("{}")
                    },
                ])
            var ids: [String] = []
            for payload in ["1", "2", "3", "4"] { ids += try await engine.submit(payload: payload) }
            // Other attempts of a job that ran too long do not matter here.
            ids += try await engine.submit(kind: Self.slow, payload: "5")
            try await engine.database.write { [id = ids[4]] in
                try $0.run("UPDATE jobs SET maximum_attempts = 1 WHERE id = \(id)")
            }
            try await engine.untilCounts { $0[.succeeded] == 2 && $0[.failed] == 3 }
            let told = try await told(engine)
            #expect(told.count == 5)
            #expect(told[ids[0]] == ["succeeded 1"])
            #expect(told[ids[1]] == ["succeeded 2"])
            #expect(told[ids[2]] == [#"failed(code: "no") 3"#])
            #expect(told[ids[3]] == [#"failed(code: "again") 4"#])
            #expect(told[ids[4]] == [#"failed(code: "timedOut") 5"#])
        }
    }

    /// Whether a worker has sent a message since its last assignment.
    private func isHeard(_ instance: String, by engine: Engine) -> Bool {
        engine.queue.dispatcher.workers.contains { worker in
            worker.introduction.instance == instance && !worker.jobs.isEmpty
                && worker.jobs.allSatisfy { $0.handedAt < worker.lastHeard }
        }
    }

    @Test("The gateway writes the ends of poison, too many deaths, cancelled and erased jobs")
    func ofTheGateway() async throws {
        try await withEnds { engine, _ in
            let started = Collector<Void>()
            let handler = JobHandler(.test) { _ in
                started.append(())
                try await Task.sleep(for: .seconds(3_600))
                return JobResult("{}")
            }
            let queued = try await engine.submit(payload: "0")[0]
            #expect(try await engine.queue.cancel(id: queued, userID: "u")?.state == .cancelled)
            var dead: [String] = []
            var starts = 0
            // A death weighs against suspects only.
            for (column, value, deaths) in [("crashes", 8, 2), ("deaths", 99, 1)] {
                dead += try await engine.submit(payload: "\"\(column)\"")
                let assignment = SQL(stringLiteral: "UPDATE jobs SET \(column) = \(value)")
                for death in 1...deaths {
                    let worker = engine.startWorker("\(column)\(death)", handlers: [handler])
                    starts += 1
                    await started.wait(for: starts)
                    // It does not weigh if the worker may have been dead before the assignment.
                    while !isHeard(worker, by: engine) { await Task.yield() }
                    try await engine.database.write { [dead] in
                        try $0.run(assignment + " WHERE id = \(dead[dead.count - 1])")
                    }
                    engine.line.cut(worker)
                }
                try await engine.untilCounts { $0[.failed] == dead.count }
            }
            engine.startWorker("last", handlers: [handler])
            let running = try await engine.submit(2, payload: "2")
            await started.wait(for: starts + 2)
            #expect(try await engine.queue.cancel(id: running[0], userID: "u")?.state == .cancelled)
            #expect(
                try await engine.queue.cancelJobs(
                    ofUser: "u", by: SteppedWrites(engine.database, checkpoints: true)) == 1)
            let told = try await told(engine)
            #expect(told[queued] == ["cancelled 0"])
            #expect(told[dead[0]] == [#"failed(code: "poison") "crashes""#])
            #expect(told[dead[1]] == [#"failed(code: "tooManyDeaths") "deaths""#])
            #expect(told[running[0]] == ["cancelled 2"])
            #expect(told[running[1]] == ["erased 2"])
            #expect(told.count == 5)
        }
    }

    @Test("A refused end is logged, does not keep its job open, and is later written by upkeep")
    func refusedEnd() async throws {
        try await withEnds { engine, refusals in
            try await engine.database.write { try $0.run("INSERT INTO refusing (number) VALUES (1)") }
            engine.startWorker("w1", handlers: [JobHandler(.test) { .effect(of: $0.job) }])
            let id = try await engine.submit(payload: "1")[0]
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            #expect(try await engine.effects() == [id: 1])
            #expect(await refusals.wait(for: 1).map(\.jobID) == [id])
            #expect(try await told(engine).isEmpty)
            #expect(try await engine.queue.runPendingHooks() == 0)
            try await engine.database.write { transaction in
                try transaction.run("DELETE FROM refusing")
                try transaction.run("UPDATE job_ends SET next_at = 0")
            }
            #expect(try await engine.queue.runPendingHooks() == 1)
            #expect(try await engine.queue.runPendingHooks() == 0)
            #expect(try await told(engine) == [id: ["succeeded 1"]])
        }
    }

    @Test("A dead letter whose end cannot be undone is not requeued")
    func refusedRequeue() async throws {
        try await withEnds { engine, _ in
            engine.startWorker(
                "w1",
                handlers: [JobHandler(.test) { _ in throw JobFailure(code: "no", message: "No.", remedy: .none) }])
            let id = try await engine.submit()[0]
            try await engine.untilCounts { $0 == [.failed: 1] }
            await #expect(throws: SubmissionError.notRequeueable) {
                try await engine.queue.requeue(id: id, userID: "u")
            }
            #expect(try await engine.counts() == [.failed: 1])
        }
    }
}
