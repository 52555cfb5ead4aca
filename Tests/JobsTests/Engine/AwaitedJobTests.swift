import Contracts
import JobStorage
import Model
import Storage
import Testing

@testable import Jobs

private struct Question: Codable, Sendable, Equatable {
    var words: [String]
}

private struct Answer: Codable, Sendable, Equatable {
    var text: String
}

extension TypedJobKind where Payload == Question, Result == Answer {
    fileprivate static var join: Self {
        Self(
            JobKind(
                name: "test.join", version: 2, submitter: .system, maximumRunTime: .seconds(60), maximumAttempts: 1))
    }
}

@Suite("Awaited jobs", .timeLimit(.minutes(5)))
struct AwaitedJobTests {
    private let limit = Duration.seconds(120)

    private var joining: JobHandler {
        JobHandler(.join) { question, _ in JobResult(Answer(text: question.words.joined(separator: " "))) }
    }

    @Test("A typed job runs with interactive priority and its kind's attempts, and returns a typed result")
    func typedResult() async throws {
        try await Engine.run { engine in
            engine.startWorker("w1", handlers: [joining])
            let answer = try await engine.queue.run(.join, Question(words: ["a", "b"]), for: "u", within: limit)
            #expect(answer == Answer(text: "a b"))
            let row = try await engine.onlyRow()
            #expect(try row["payload"] == #"{"words":["a","b"]}"#)
            #expect(try row["result"] == #"{"text":"a b"}"#)
            #expect(try row["priority"] == JobPriority.interactive)
            #expect(try row["maximum_attempts"] == 1)
            #expect(try row["version"] == 2)
        }
    }

    @Test("A job whose row cannot be read is cancelled before the caller gets the error, unless it is shared")
    func unreadableRow() async throws {
        for isShared in [false, true] {
            try await Engine.run { engine in
                try await engine.database.write {
                    try $0.run(
                        """
                        CREATE TRIGGER spoil AFTER INSERT ON jobs BEGIN
                            UPDATE jobs SET created_at = 'spoilt' WHERE id = NEW.id;
                        END
                        """)
                }
                let question = Question(words: ["a"])
                let error = await #expect(throws: StorageError.self) {
                    if isShared {
                        _ = try await engine.queue.run(.join, question, for: "u", within: limit, sharedAs: "key")
                    } else {
                        _ = try await engine.queue.run(.join, question, for: "u", within: limit)
                    }
                }
                guard case .column(name: "created_at", _, _) = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(try await engine.onlyRow()["state"] == (isShared ? "queued" : "cancelled"))
            }
        }
    }

    @Test("A payload that cannot be decoded makes a dead letter at the first attempt")
    func unreadablePayload() async throws {
        try await Engine.run { engine in
            engine.startWorker("w1", handlers: [joining])
            let id = try await engine.queue.submit(
                [NewJob(kind: TypedJobKind.join.kind, payload: #"{"words":7}"#)], userID: "u"
            ).ids[0]
            try await engine.untilCounts { $0 == [.failed: 1] }
            let job = try await engine.job(id)
            #expect(job?.errorCode == "invalidPayload")
            #expect(job?.errorMessage == "The payload of test.join version 2 cannot be read.")
        }
    }

    @Test("A dead letter and an unreadable result are typed errors")
    func typedErrors() async throws {
        try await Engine.run { engine in
            let instance = engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.join) { question, _ -> JobResult<Answer> in
                        throw JobFailure(code: question.words[0], message: "No.", remedy: .retry(after: nil))
                    }
                ])
            await #expect(throws: JobWaitError.failed(code: "wrong", message: "No.")) {
                try await engine.queue.run(.join, Question(words: ["wrong"]), for: "u", within: limit)
            }
            await engine.runtime(instance)?.drain(grace: .seconds(5))
            engine.startWorker("w2", handlers: [JobHandler(TypedJobKind.join.kind) { _ in JobResult("[]") }])
            await #expect(throws: JobWaitError.unreadableResult) {
                try await engine.queue.run(.join, Question(words: []), for: "u", within: limit)
            }
        }
    }

    @Test("A job that has not ended in time is cancelled and writes nothing")
    func notInTime() async throws {
        try await Engine.run { engine in
            let (permission, permit) = AsyncStream.makeStream(of: Void.self)
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.join) { _, _ in
                        // A handler that ignores cancellation.
                        await Task { for await _ in permission { return } }.value
                        return JobResult(Answer(text: "")) { transaction, _ in
                            try transaction.run("INSERT INTO effects (job_id) VALUES ('late')")
                        }
                    }
                ])
            let task = Task {
                try await engine.queue.run(.join, Question(words: []), for: "u", within: .milliseconds(1))
            }
            await #expect(throws: JobWaitError.notInTime) { try await task.value }
            #expect(try await engine.counts() == [.cancelled: 1])
            // The job may have been cancelled before or after it began. Either way, another one runs afterwards.
            permit.finish()
            let next = Task { try await engine.queue.run(.join, Question(words: []), for: "v", within: limit) }
            let answer = try await next.value
            #expect(answer == Answer(text: ""))
            #expect(try await engine.effects() == ["late": 1])
        }
    }

    @Test("Cancelling a caller's task cancels the job; a job cancelled by others is reported as such")
    func cancelledCaller() async throws {
        try await Engine.run { engine in
            let (began, beginning) = AsyncStream.makeStream(of: String.self)
            let (stopped, stopping) = AsyncStream.makeStream(of: Void.self)
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.join) { _, context in
                        beginning.yield(context.job.run.jobID)
                        do { try await Task.sleep(for: .seconds(3_600)) } catch { stopping.yield() }
                        return JobResult(Answer(text: ""))
                    }
                ])
            var (begins, stops) = (began.makeAsyncIterator(), stopped.makeAsyncIterator())
            let gone = Task { try await engine.queue.run(.join, Question(words: []), for: "u", within: limit) }
            let first = try #require(await begins.next())
            gone.cancel()
            await #expect(throws: JobWaitError.notInTime) { try await gone.value }
            #expect(try await engine.job(first)?.state == .cancelled)
            await stops.next()

            let waiting = Task { try await engine.queue.run(.join, Question(words: []), for: "u", within: limit) }
            let second = try #require(await begins.next())
            _ = try await engine.queue.cancel(id: second, userID: "u")
            await #expect(throws: JobWaitError.cancelled) { try await waiting.value }
            await stops.next()
        }
    }

    @Test("A payload's rows and the job are written together or not at all")
    func madeWithin() async throws {
        struct RefusalError: Error {}
        try await Engine.run { engine in
            engine.startWorker("w1", handlers: [joining])
            let answer = try await engine.queue.run(.join, for: "u", within: limit) { transaction in
                try transaction.run("INSERT INTO effects (job_id) VALUES ('with')")
                return Question(words: ["x"])
            }
            #expect(answer == Answer(text: "x"))
            let nothing = try await engine.queue.run(.join, for: "u", within: limit) { _ in nil }
            #expect(nothing == nil)
            await #expect(throws: RefusalError.self) {
                try await engine.queue.run(.join, for: "u", within: limit) { transaction in
                    try transaction.run("INSERT INTO effects (job_id) VALUES ('without')")
                    throw RefusalError()
                }
            }
            #expect(try await engine.effects() == ["with": 1])
            #expect(try await engine.counts() == [.succeeded: 1])
        }
    }

    @Test("A caller of a shared job who stops waiting does not cancel it")
    func sharedJob() async throws {
        try await Engine.run { engine in
            let question = Question(words: ["s"])
            let patient = Task {
                try await engine.queue.run(.join, question, for: "u", within: limit, sharedAs: "k")
            }
            try await engine.untilCounts { $0 == [.queued: 1] }
            await #expect(throws: JobWaitError.notInTime) {
                try await engine.queue.run(.join, question, for: "u", within: .zero, sharedAs: "k")
            }
            #expect(try await engine.counts() == [.queued: 1])
            engine.startWorker("w1", handlers: [joining])
            #expect(try await patient.value == Answer(text: "s"))
            #expect(try await engine.counts() == [.succeeded: 1])
        }
    }

    @Test("Jobs submitted by a result have the configured attempts or those of their kind")
    func attemptsOfChildren() async throws {
        try await Engine.run { engine in
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.join) { _, _ in
                        JobResult(Answer(text: "")) { transaction, submissions in
                            let later = Timestamp.now().advanced(by: .seconds(3_600))
                            try submissions.submit(
                                NewJob(kind: .test, payload: "{}", runAt: later), userID: "v", in: transaction)
                            try submissions.submit(
                                NewJob(.join, Question(words: []), runAt: later), userID: "v", in: transaction)
                        }
                    }
                ])
            _ = try await engine.queue.run(.join, Question(words: []), for: "u", within: limit)
            let attempts = try await engine.database.read {
                try $0.rows("SELECT kind, maximum_attempts FROM jobs WHERE user_id = 'v'").reduce(into: [:]) {
                    $0[try $1["kind"] as String] = try $1["maximum_attempts"] as Int
                }
            }
            #expect(attempts == ["test.kind": Engine.settings.maximumAttempts, "test.join": 1])
        }
    }
}

@Suite("Retention of jobs", .timeLimit(.minutes(5)))
struct RetentionTests {
    private func kind(_ name: String, keptFor retention: Duration?) -> JobKind {
        JobKind(name: name, version: 1, submitter: .user, maximumRunTime: .seconds(60), retention: retention)
    }

    @Test("A kind's own retention overrides the configured one, shorter or longer")
    func ofKinds() async throws {
        let kinds = [
            kind("test.short", keptFor: .seconds(60)), kind("test.usual", keptFor: nil),
            kind("test.long", keptFor: .seconds(7_200)),
        ]
        try await Engine.run(kinds: JobKinds(kinds)) { engine in
            var ids: [String: [String]] = [:]
            for kind in kinds { ids[kind.name] = try await engine.submit(2, kind: kind) }
            let live = try await engine.submit(1, kind: kinds[0])
            let all = ids.values.flatMap { $0 }
            try await engine.database.write { transaction in
                for id in all { _ = try transaction.jobs.cancel(jobID: id, userID: "u", now: .now()) }
            }
            func kept(ofAge age: Duration) async throws -> Set<String> {
                let end = Timestamp.now().advanced(by: .zero - age)
                try await engine.database.write { transaction in
                    // It was created as long ago as its age, according to its id as well.
                    for row in try transaction.rows("SELECT id FROM jobs WHERE finished_at IS NOT NULL") {
                        let id: String = try row["id"]
                        let aged = UUIDv7.lowerBound(of: end).prefix(13) + id.dropFirst(13)
                        try transaction.run(
                            "UPDATE jobs SET id = \(String(aged)), finished_at = \(end) WHERE id = \(id)")
                    }
                }
                try await engine.queue.prune(retention: .seconds(3_600), at: .unguarded(.now()))
                return Set(
                    try await engine.database.read {
                        try $0.rows("SELECT DISTINCT kind FROM jobs WHERE finished_at IS NOT NULL").map {
                            try $0["kind"] as String
                        }
                    })
            }
            #expect(try await kept(ofAge: .seconds(30)) == ["test.short", "test.usual", "test.long"])
            #expect(try await kept(ofAge: .seconds(90)) == ["test.usual", "test.long"])
            #expect(try await kept(ofAge: .seconds(4_000)) == ["test.long"])
            #expect(try await kept(ofAge: .seconds(8_000)) == [])
            #expect(try await engine.job(live[0])?.state == .queued)
            #expect(try await engine.counts() == [.queued: 1])
        }
    }
}

extension Engine {
    fileprivate func onlyRow() async throws -> Row {
        let rows = try await database.read { try $0.rows("SELECT * FROM jobs") }
        try #require(rows.count == 1)
        return rows[0]
    }
}
