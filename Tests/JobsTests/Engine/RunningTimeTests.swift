import Contracts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("Limits of running time, and diagnostics.steps", .timeLimit(.minutes(5)))
struct RunningTimeTests {
    @Test("The running time of all runs together is limited, and a job that exceeds it fails permanently")
    func totalTime() async throws {
        let kind = JobKind(
            name: "long.kind", version: 1, submitter: .user, maximumRunTime: .seconds(60),
            maximumTotalTime: .milliseconds(50))
        let late = JobKind(
            name: "late.kind", version: 1, submitter: .user, maximumRunTime: .seconds(60),
            maximumTotalTime: .seconds(60))
        try await Engine.run { engine in
            let ids = try await engine.submit(kind: kind) + engine.submit(kind: late)
            // The row gets a new change number, so that the gateway reads it again even if it has read it before.
            try await engine.database.write {
                let change = try $0.nextChange()
                try $0.run("UPDATE jobs SET run = 1, ran_for = 60000000, change = \(change) WHERE id = \(ids[1])")
            }
            let ran = Collector<String>()
            engine.startWorker(
                "w1",
                handlers: [kind, late].map { kind in
                    JobHandler(kind) { context in
                        ran.append(context.job.run.jobID)
                        try await Task.sleep(for: .seconds(3_600))
                        return JobResult("{}")
                    }
                })
            try await engine.untilCounts { $0 == [.failed: 2] }
            for id in ids {
                #expect(try await engine.job(id)?.errorCode == "timedOut")
                #expect(try await engine.database.read { try $0.jobs.attempts(jobID: id) }.count == 1)
            }
            #expect(ran.elements == [ids[0]])
        }
    }

    // MARK: diagnostics.steps

    @Test("diagnostics.steps takes each step once, counts its rows, and leaves none")
    func diagnosticsSteps() async throws {
        try await Engine.run { engine in
            engine.database.register([.diagnosticsSteps]) { _ in }
            engine.startWorker("w1", handlers: [.diagnosticsSteps(engine.database)])
            let id = try await engine.submit(kind: .diagnosticsSteps, payload: #"{"steps":50}"#)[0]
            let wrong = try await engine.submit(kind: .diagnosticsSteps, payload: #"{"steps":0}"#)[0]
            try await engine.untilCounts { $0 == [.succeeded: 1, .failed: 1] }
            let result = try #require(try await engine.job(id)?.result)
            for part in [#""steps":50"#, #""written":50"#, #""distinct":50"#, #""runs":1"#] {
                #expect(result.contains(part))
            }
            #expect(try await engine.job(wrong)?.errorCode == "invalidPayload")
            let left = try await engine.database.read { try $0.jobs.diagnosticSteps(ofJob: id) }
            #expect(left.written == 0)
            await #expect(throws: SubmissionError.notRequeueable) {
                try await engine.queue.requeue(id: wrong, userID: "u")
            }
        }
    }
}
