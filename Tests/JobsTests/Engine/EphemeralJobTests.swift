import Contracts
import JobStorage
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Jobs

private struct Search: Codable, Sendable, Equatable {
    var words: String
}

private struct SearchResult: Codable, Sendable, Equatable {
    var artists: [String]
}

extension TypedJobKind where Payload == Search, Result == SearchResult {
    fileprivate static var search: Self {
        Self(
            JobKind(
                name: "test.search", version: 1, submitter: .system, maximumRunTime: .seconds(60), isEphemeral: true))
    }
}

@Suite("Ephemeral jobs", .timeLimit(.minutes(5)))
struct EphemeralJobTests {
    private let limit = Duration.seconds(120)

    /// Answers at once, except for `wait`, for which it runs until it is asked to stop.
    private func searching(
        began: @escaping @Sendable (String) -> Void = { _ in }, stopped: @escaping @Sendable (String) -> Void = { _ in }
    ) -> JobHandler {
        JobHandler(.search) { search, context in
            began(context.job.userID + " " + search.words)
            context.report(JobProgress(done: 1, total: 2))
            if search.words == "fail" { throw JobFailure(code: "no", message: "No.", remedy: .none) }
            if search.words.hasPrefix("wait") {
                do {
                    try await Task.sleep(for: .seconds(3_600))
                } catch {
                    stopped(context.job.userID + " " + search.words)
                    throw error
                }
            }
            return JobResult(SearchResult(artists: [search.words]))
        }
    }

    @Test("An ephemeral job is in no list, summary, stream or export, and is deleted within minutes")
    func listedNowhere() async throws {
        try await Engine.run { engine in
            engine.startWorker("w1", handlers: [searching()])
            let found = try await engine.queue.run(.search, Search(words: "x"), for: "u", within: limit)
            #expect(found == SearchResult(artists: ["x"]))
            await #expect(throws: JobWaitError.failed(code: "no", message: "No.")) {
                try await engine.queue.run(.search, Search(words: "fail"), for: "u", within: limit)
            }
            let plain = try await engine.submit(1)

            let rows = try await engine.database.read {
                try $0.rows("SELECT id, finished_at FROM jobs WHERE kind = 'test.search' ORDER BY id")
            }
            let ids = try rows.map { try $0["id"] as String }
            try #require(ids.count == 2)
            try await engine.database.read { reader in
                #expect(
                    try reader.jobs.jobs(userID: "u", state: nil, kind: nil, after: nil, limit: 9).jobs.map(\.id)
                        == plain)
                #expect(try reader.jobs.jobCounts(userID: "u").filter { $0.value != 0 } == [.queued: 1])
                let changed = try reader.jobs.jobs(userID: "u", changedAfter: 0, limit: 9, maximumBytes: .max)
                #expect(changed.jobs.map(\.id) == plain)
                #expect(try reader.jobs.countOfJobs(userID: "u", changedAfter: 0, limit: 9) == 1)
                #expect(try reader.jobs.deadLetters(after: nil, limit: 9).isEmpty)
                for id in ids { #expect(try reader.jobs.job(id: id, userID: "u") == nil) }
                for table in [PersonalTable].jobs {
                    guard case .rows(let member, let columns) = table.export else { continue }
                    var exported = 0
                    _ = try table.forEachExportedRow(
                        of: "u", columns, after: nil, limit: 9, maximumBytes: .max, in: reader
                    ) { _ in exported += 1 }
                    #expect(exported == (member.description == "jobs" ? 1 : 0), "\(member)")
                }
                // It counts by kind like any other job.
                #expect(try reader.jobs.jobCountsByKind()["test.search"]?[.succeeded] == 1)
            }
            for id in ids {
                #expect(try await engine.queue.cancel(id: id, userID: "u") == nil)
                #expect(try await engine.queue.requeue(id: id, userID: "u") == nil)
            }
            #expect(
                try await engine.database.read { try $0.jobs.awaitedJob(id: ids[1], userID: "u") }?.state == .failed)

            let ends = try rows.map { try $0["finished_at"] as Timestamp }
            let first = try #require(ends.min()).advanced(by: JobQueue.ephemeralLifetime)
            try await engine.queue.pruneEphemeral(at: .unguarded(first))
            #expect(try await engine.ephemeralJobs() == 2)
            let last = try #require(ends.max()).advanced(by: JobQueue.ephemeralLifetime + .microseconds(1))
            try await engine.queue.pruneEphemeral(at: .unguarded(last), limit: 1)
            #expect(try await engine.ephemeralJobs() == 0)
            try await engine.database.read { reader in
                let attempts = try reader.rows("SELECT 1 FROM job_attempts")
                #expect(attempts.isEmpty)
                #expect(try reader.jobs.jobCounts(userID: "u").filter { $0.value != 0 } == [.queued: 1])
                #expect(
                    try reader.rows("SELECT state, count FROM job_counts WHERE user_id = 'u' AND count <> 0").count == 1
                )
                #expect(try reader.jobs.jobCountsByKind()["test.search"]?.values.allSatisfy { $0 == 0 } == true)
            }
        }
    }

    @Test("A newer job of the same person, kind and screen cancels the older, whose worker stops")
    func newerQuestion() async throws {
        try await Engine.run { engine in
            let (beginnings, began) = AsyncStream.makeStream(of: String.self)
            let (ends, stopped) = AsyncStream.makeStream(of: String.self)
            engine.startWorker(
                "w1", concurrency: 8,
                handlers: [searching(began: { began.yield($0) }, stopped: { stopped.yield($0) })])
            var (begins, stops) = (beginnings.makeAsyncIterator(), ends.makeAsyncIterator())
            let (screen, other) = (try #require(ScreenID("s1")), try #require(ScreenID("s2")))
            func ask(_ words: String, of user: String = "u", on screen: ScreenID?) -> Task<SearchResult, any Error> {
                Task {
                    try await engine.queue.run(.search, Search(words: words), for: user, within: limit, screen: screen)
                }
            }
            let older = ask("wait1", on: screen)
            #expect(await begins.next() == "u wait1")
            // None of these has the same screen and person.
            let others = [ask("wait2", on: other), ask("wait3", of: "v", on: screen), ask("wait4", on: nil)]
            var begun = Set<String>()
            while begun.count < 3 { begun.insert(try #require(await begins.next())) }
            #expect(begun == ["u wait2", "v wait3", "u wait4"])

            let newer = ask("x", on: screen)
            await #expect(throws: JobWaitError.cancelled) { try await older.value }
            #expect(try await newer.value == SearchResult(artists: ["x"]))
            #expect(await stops.next() == "u wait1")
            let states = try await engine.database.read {
                try $0.rows("SELECT payload, state FROM jobs").reduce(into: [:]) {
                    $0[try $1["payload"] as String] = try $1["state"] as JobState
                }
            }
            #expect(states[#"{"words":"wait1"}"#] == .cancelled)
            for number in 2...4 { #expect(states[#"{"words":"wait\#(number)"}"#] == .running) }

            // A caller who goes away cancels the job.
            for task in others { task.cancel() }
            for task in others {
                await #expect(throws: JobWaitError.notInTime) { try await task.value }
            }
            var ended = Set<String>()
            while ended.count < 3 { ended.insert(try #require(await stops.next())) }
            #expect(ended == begun)
        }
    }

    @Test("A transaction that submits nothing cancels nothing")
    func nothingSubmitted() async throws {
        try await Engine.run { engine in
            let screen = try #require(ScreenID("s1"))
            let waiting = Task {
                try await engine.queue.run(.search, Search(words: "a"), for: "u", within: limit, screen: screen)
            }
            try await engine.untilAsked()
            let nothing = try await engine.queue.run(.search, for: "u", within: limit, screen: screen) { _ in nil }
            #expect(nothing == nil)
            engine.startWorker("w1", handlers: [searching()])
            #expect(try await waiting.value == SearchResult(artists: ["a"]))
            let made = try await engine.queue.run(.search, for: "u", within: limit, screen: screen) { _ in
                Search(words: "b")
            }
            #expect(made == SearchResult(artists: ["b"]))
        }
    }

    @Test("An unfinished job from a gateway that went down is cancelled after its lifetime, then deleted")
    func leftBehind() async throws {
        try await Engine.run { engine in
            _ = try await engine.submit(2, kind: TypedJobKind.search.kind, payload: #"{"words":"a"}"#)
            let created = try await engine.database.read {
                try $0.rows("SELECT created_at FROM jobs").map { try $0["created_at"] as Timestamp }.max()
            }
            let over = try #require(created).advanced(by: JobQueue.ephemeralLifetime + .microseconds(1))
            try await engine.queue.pruneEphemeral(at: .unguarded(over.advanced(by: .seconds(-2))))
            #expect(try await engine.ephemeralStates() == [.queued])
            try await engine.queue.pruneEphemeral(at: .unguarded(over))
            #expect(try await engine.ephemeralStates() == [.cancelled])
            try await engine.queue.pruneEphemeral(
                at: .unguarded(Timestamp.now().advanced(by: JobQueue.ephemeralLifetime * 2)))
            #expect(try await engine.ephemeralJobs() == 0)
        }
    }

    @Test("The progress of ephemeral jobs is not sent")
    func unsentProgress() async throws {
        try await Engine.run { engine in
            let gate = Collector<Void>()
            engine.startWorker(
                "w1",
                handlers: [
                    searching(),
                    JobHandler(.test) { context in
                        context.report(JobProgress(done: 1, total: 3))
                        await gate.wait(for: 1)
                        return JobResult("{}")
                    },
                ])
            let signals = engine.queue.events.stream(userID: "u")
            _ = try await engine.queue.run(.search, Search(words: "x"), for: "u", within: limit)
            let plain = try await engine.submit(1)
            for await signal in signals {
                guard let first = signal.progress.first else { continue }
                #expect(first.run.jobID == plain[0])
                #expect(signal.progress.count == 1)
                break
            }
            gate.append(())
            try await engine.untilCounts { $0 == [.succeeded: 1] }
        }
    }
}

extension Engine {
    fileprivate func ephemeralJobs() async throws -> Int {
        try await database.read { try $0.rows("SELECT id FROM jobs WHERE is_ephemeral = 1").count }
    }

    fileprivate func untilAsked() async throws {
        let signals = queue.events.stream(userID: "u")
        if try await ephemeralJobs() > 0 { return }
        for await _ in signals where try await ephemeralJobs() > 0 { return }
    }

    fileprivate func ephemeralStates() async throws -> Set<JobState> {
        Set(
            try await database.read {
                try $0.rows("SELECT state FROM jobs WHERE is_ephemeral = 1").map { try $0["state"] as JobState }
            })
    }
}
