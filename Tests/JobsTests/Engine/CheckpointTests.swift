import Contracts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("Jobs with checkpoints", .timeLimit(.minutes(5)))
struct CheckpointTests {
    @Test("Progress resets the attempts; an equal state or one that goes back and forth does not")
    func progressResetsAttempts() async throws {
        try await Engine.runWithSteps { engine in
            engine.startWorker(keeping: Int.self) { context in
                let state = context.state ?? 0
                guard state < 6 else { return JobResult("\(state)") }
                switch context.job.payload {
                case "1": try await context.checkpoint(state + 1)
                case "2": try await context.checkpoint(1)
                default:
                    try await context.checkpoint(2)
                    try await context.checkpoint(1)
                }
                throw JobFailure(code: "no", message: "No.", remedy: .retry(after: .zero))
            }
            let moving = try await engine.submit(payload: "1")[0]
            let (stuck, turning) = (try await engine.submit(payload: "2")[0], try await engine.submit(payload: "3")[0])
            try await engine.untilCounts { $0 == [.succeeded: 1, .failed: 2] }
            #expect(try await engine.job(moving)?.result == "6")
            let attempts = try await engine.database.read { reader in
                try [moving, stuck, turning].map { try reader.jobs.attempts(jobID: $0).map(\.attempt) }
            }
            #expect(attempts == [[1, 1, 1, 1, 1, 1], [1, 2, 3], [1, 2, 3]])
            // A requeued dead letter continues there.
            #expect(try await engine.checkpoints() == ["1", "1"])
        }
    }

    @Test("A job that is postponed or waits for a credential keeps its state")
    func postponedJobKeepsItsState() async throws {
        try await Engine.runWithSteps { engine in
            engine.startWorker(keeping: Int.self) { context in
                let state = context.state ?? 0
                try await context.checkpoint(state + 1)
                switch state {
                case 0: throw JobFailure(code: "no", message: "No.", remedy: .postpone(until: .now()))
                case 1: throw JobFailure(code: "no", message: "No.", remedy: .awaitCredential(.spotify))
                default: return JobResult("\(state)")
                }
            }
            let id = try await engine.submit()[0]
            while try await engine.job(id)?.awaits == nil { await Task.yield() }
            #expect(try await engine.checkpoints() == ["2"])
            try await engine.database.write {
                try $0.jobs.resumeJobs(userID: "u", awaiting: "spotify", now: .now())
            }
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            #expect(try await engine.job(id)?.result == "2")
        }
    }

    @Test("A state that is too large fails the job, and no part of the checkpoint is written")
    func tooLarge() async throws {
        try await Engine.runWithSteps { engine in
            engine.startWorker(keeping: String.self) { context in
                try await context.checkpoint(String(repeating: "x", count: 65_534))
                try await context.checkpoint(String(repeating: "y", count: 65_535)) { transaction, _ in
                    try transaction.run("INSERT INTO steps (job_id, step, run) VALUES ('', 1, 1)")
                }
                return JobResult("{}")
            }
            let id = try await engine.submit()[0]
            try await engine.untilCounts { $0 == [.failed: 1] }
            #expect(try await engine.job(id)?.errorCode == "stateTooLarge")
            #expect(try await engine.steps().isEmpty)
            #expect(try await engine.checkpoints().first?.hasPrefix("\"xxx") == true)
        }
    }

    @Test("An error of a checkpoint's rows reaches the handler, and nothing is written")
    func refusedRows() async throws {
        try await Engine.runWithSteps { engine in
            engine.startWorker(keeping: Int.self) { context in
                try await context.checkpoint(1) { transaction, _ in
                    try transaction.run("INSERT INTO steps (job_id, step, run) VALUES ('', 1, 1)")
                    throw JobFailure(code: "asAsked", message: "No.", remedy: .none)
                }
                return JobResult("{}")
            }
            let id = try await engine.submit()[0]
            try await engine.untilCounts { $0 == [.failed: 1] }
            #expect(try await engine.job(id)?.errorCode == "asAsked")
            #expect(try await engine.steps().isEmpty)
            #expect(try await engine.checkpoints().isEmpty)
        }
    }

    @Test("A checkpoint may submit jobs, which run")
    func followUps() async throws {
        try await Engine.runWithSteps { engine in
            engine.startWorker(keeping: Int.self) { context in
                guard context.job.payload == "1" else { return .effect(of: context.job) }
                try await context.checkpoint(1) { transaction, submissions in
                    try submissions.submit(NewJob(kind: .test, payload: "2"), userID: "u", in: transaction)
                }
                return JobResult("{}")
            }
            _ = try await engine.submit(payload: "1")
            try await engine.untilCounts { $0 == [.succeeded: 2] }
            #expect(try await engine.effects().count == 1)
        }
    }
}
