import Contracts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("How runs end", .timeLimit(.minutes(5)))
struct OutcomeTests {
    private struct UnexpectedError: Error {}

    @Test("An echo fails as often as its payload asks for, then returns it")
    func failingEcho() async throws {
        try await Engine.run { engine in
            engine.startWorker("w1", handlers: [.diagnosticsEcho])
            let payload = #"{"failAttempts":1,"n":7}"#
            let id = try #require(try await engine.submit(kind: .diagnosticsEcho, payload: payload).first)
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            let job = try #require(try await engine.job(id))
            #expect(job.attempt == 2 && job.result == payload)
            let attempts = try await engine.database.read { try $0.jobs.attempts(jobID: id) }
            #expect(attempts.map(\.errorCode) == ["failedAsAsked"])
        }
    }

    @Test("A job with a retryable error is tried up to the limit, and the error of every attempt is recorded")
    func retriesUpToTheLimit() async throws {
        try await Engine.run { engine in
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test) { context in
                        throw JobFailure(
                            code: "attempt\(context.job.attempt)", message: "No.",
                            remedy: .retry(after: .milliseconds(1)))
                    }
                ])
            let id = try #require(try await engine.submit().first)
            try await engine.untilCounts { $0 == [.failed: 1] }
            let attempts = try await engine.database.read { try $0.jobs.attempts(jobID: id) }
            #expect(attempts.map(\.errorCode) == ["attempt1", "attempt2", "attempt3"])
            #expect(attempts.map(\.attempt) == [1, 2, 3])
            let job = try #require(try await engine.job(id))
            #expect(job.errorCode == "attempt3")
            #expect(job.run >= 3)
        }
    }

    @Test("A requeued dead letter has its full number of attempts again, and may succeed")
    func requeuedDeadLetter() async throws {
        try await Engine.run { engine in
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test) { context in
                        guard context.job.run.run > 1 else {
                            throw JobFailure(code: "no", message: "No.", remedy: .none)
                        }
                        return .effect(of: context.job)
                    }
                ])
            let id = try #require(try await engine.submit().first)
            try await engine.untilCounts { $0 == [.failed: 1] }
            let requeued = try #require(try await engine.queue.requeue(id: id, userID: "u"))
            #expect(requeued.wasFailed)
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            let job = try #require(try await engine.job(id))
            #expect(job.attempt == 1)
            #expect(job.errorCode == nil)
            let again = try await engine.queue.requeue(id: id, userID: "u")
            #expect(again?.wasFailed == false)
            #expect(try await engine.queue.requeue(id: id, userID: "other") == nil)
        }
    }

    @Test("An unexpected error is recorded without details and retried")
    func unexpectedError() async throws {
        var settings = Engine.settings
        settings.maximumAttempts = 1
        try await Engine.run(settings: settings) { engine in
            engine.startWorker("w1", handlers: [JobHandler(.test) { _ in throw UnexpectedError() }])
            let id = try #require(try await engine.submit().first)
            try await engine.untilCounts { $0 == [.failed: 1] }
            let job = try #require(try await engine.job(id))
            #expect(job.errorCode == "internalError")
            #expect(job.errorMessage?.contains("Unexpected") == false)
        }
    }

    @Test("Postponing a job uses no attempt")
    func postponedJob() async throws {
        try await Engine.run { engine in
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test) { context in
                        guard context.job.run.run > 4 else {
                            throw JobFailure(code: "later", message: "Later.", remedy: .postpone(until: .now()))
                        }
                        return .effect(of: context.job)
                    }
                ])
            let id = try #require(try await engine.submit().first)
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            let job = try #require(try await engine.job(id))
            #expect(job.run >= 5)
            #expect(job.attempt == 1)
            #expect(try await engine.database.read { try $0.jobs.attempts(jobID: id) }.isEmpty)
        }
    }

    @Test("A run that takes too long is ended, and the next jobs of its worker run")
    func timesOut() async throws {
        var settings = Engine.settings
        settings.maximumAttempts = 1
        let kind = JobKind(name: "slow.kind", version: 1, submitter: .user, maximumRunTime: .milliseconds(20))
        try await Engine.run(settings: settings) { engine in
            engine.startWorker(
                "w1", concurrency: 1,
                handlers: [
                    JobHandler(kind) { _ in
                        try await Task.sleep(for: .seconds(3_600))
                        return JobResult("{}")
                    }, JobHandler(.test) { .effect(of: $0.job) },
                ])
            // Short jobs run first, so that the worker has a prefetch.
            _ = try await engine.submit(50)
            try await engine.untilCounts { $0 == [.succeeded: 50] }
            let slow = try #require(try await engine.submit(kind: kind).first)
            _ = try await engine.submit(3)
            try await engine.untilCounts { $0 == [.succeeded: 53, .failed: 1] }
            #expect(try await engine.job(slow)?.errorCode == "timedOut")
        }
    }

    @Test("Rows that the database refuses fail the job, and no part of the result is written")
    func refusedRows() async throws {
        var settings = Engine.settings
        settings.maximumAttempts = 1
        try await Engine.run(settings: settings) { engine in
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test) { context in
                        JobResult("{}") { transaction, _ in
                            try transaction.run("INSERT INTO effects (job_id) VALUES (\(context.job.run.jobID))")
                            try transaction.run("INSERT INTO no_such_table VALUES (1)")
                        }
                    }
                ])
            let id = try #require(try await engine.submit().first)
            try await engine.untilCounts { $0 == [.failed: 1] }
            #expect(try await engine.job(id)?.errorCode == "resultRefused")
            #expect(try await engine.effects().isEmpty)
        }
    }

    @Test("Of successes that share an entry, a refused one fails alone")
    func refusedAmongOthers() async throws {
        var settings = Engine.settings
        settings.maximumAttempts = 1
        try await Engine.run(settings: settings) { engine in
            try await engine.database.write { transaction in
                try transaction.run(
                    """
                    CREATE TRIGGER refusing BEFORE UPDATE OF result ON jobs WHEN new.result = '13'
                    BEGIN SELECT RAISE(ABORT, 'thirteen'); END
                    """)
            }
            let payloads = (0..<40).map { "\($0)" }
            _ = try await engine.queue.submit(
                payloads.map { NewJob(kind: .test, payload: $0) }, userID: "u")
            engine.startWorker("w1", handlers: [JobHandler(.test) { JobResult($0.job.payload) }])
            try await engine.untilCounts { $0 == [.succeeded: 39, .failed: 1] }
            let failed = try await engine.database.read { reader in
                try reader.rows("SELECT payload, error_code FROM jobs WHERE state = 'failed'").map {
                    [try $0["payload"] as String, try $0["error_code"] as String]
                }
            }
            #expect(failed == [["13", "resultRefused"]])
        }
    }

    @Test("A result may submit jobs, which run")
    func followUps() async throws {
        try await Engine.run { engine in
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test) { context in
                        guard context.job.payload == "1" else { return .effect(of: context.job) }
                        return JobResult("{}") { transaction, submissions in
                            for payload in ["2", "3"] {
                                try submissions.submit(
                                    NewJob(kind: .test, payload: payload), userID: "u", in: transaction)
                            }
                        }
                    }
                ])
            _ = try await engine.submit(payload: "1")
            try await engine.untilCounts { $0 == [.succeeded: 3] }
            #expect(try await engine.effects().count == 2)
        }
    }

    @Test("A scheduled job runs when it is due, not before")
    func scheduledJob() async throws {
        try await Engine.run { engine in
            let ran = Collector<Timestamp>()
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test) { context in
                        ran.append(.now())
                        return .effect(of: context.job)
                    }
                ])
            // This is later than the insertion even on a slow machine.
            let due = Timestamp.now().advanced(by: .seconds(5))
            let accepted = try await engine.queue.submit(
                [NewJob(kind: .test, payload: "{}", runAt: due)], userID: "u")
            #expect(accepted.inserted.map(\.state) == [.scheduled])
            let moment = try #require(await ran.wait(for: 1).first)
            #expect(moment >= due)
            try await engine.untilCounts { $0 == [.succeeded: 1] }
        }
    }

    @Test("Progress reaches event streams, and is forgotten at the job's end")
    func progressUntilTheEnd() async throws {
        try await Engine.run { engine in
            let gate = Collector<Void>()
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test) { context in
                        context.report(JobProgress(phase: "reading", done: 2, total: 5, counts: ["rows": 7]))
                        await gate.wait(for: 1)
                        return .effect(of: context.job)
                    }
                ])
            let signals = engine.queue.events.stream(userID: "u")
            let id = try #require(try await engine.submit().first)
            for await signal in signals {
                guard let progress = signal.progress.first else { continue }
                // The progress of any run counts: the job may have been lost on its way and handed out again.
                #expect(progress.run.jobID == id)
                #expect(
                    progress.progress == JobProgress(phase: "reading", done: 2, total: 5, counts: ["rows": 7]))
                break
            }
            #expect(engine.queue.dispatcher.progress(ofJob: id)?.progress.done == 2)
            gate.append(())
            try await engine.untilCounts { $0 == [.succeeded: 1] }
        }
    }
}
