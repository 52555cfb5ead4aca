import Contracts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("Submitting jobs", .timeLimit(.minutes(5)))
struct SubmissionTests {
    private func key(_ key: String, _ body: String) -> JobQueue.IdempotencyKey {
        .init(key: key, fingerprint: Fingerprint.of(body))
    }

    @Test("The same idempotency key gives the same answer; another body is refused, and other users' keys are separate")
    func idempotencyKeys() async throws {
        try await Engine.run { engine in
            let queue = engine.queue
            let jobs = [NewJob(kind: .test, payload: "1"), NewJob(kind: .test, payload: "2")]
            let first = try await queue.submit(jobs, userID: "u", idempotencyKey: key("k", "body"))
            let second = try await queue.submit(jobs, userID: "u", idempotencyKey: key("k", "body"))
            #expect(second.ids == first.ids)
            #expect(second.inserted.isEmpty)
            await #expect(throws: SubmissionError.idempotencyKeyReused) {
                try await queue.submit(jobs, userID: "u", idempotencyKey: key("k", "other body"))
            }
            let other = try await queue.submit(jobs, userID: "v", idempotencyKey: key("k", "body"))
            #expect(Set(other.ids).isDisjoint(with: first.ids))
            #expect(try await engine.counts() == [.queued: 2])
        }
    }

    @Test("An idempotency key expires with the last job that it made")
    func keyEnds() async throws {
        try await Engine.run { engine in
            let queue = engine.queue
            let jobs = [NewJob(kind: .test, payload: "1"), NewJob(kind: .test, payload: "2")]
            func submit(_ body: String) async throws -> [String] {
                try await queue.submit(jobs, userID: "u", idempotencyKey: key("k", body)).ids
            }
            func prune(_ id: String) async throws {
                _ = try await queue.cancel(id: id, userID: "u")
                let later = PruningTime.unguarded(Timestamp.now().advanced(by: .seconds(3_600)))
                try await queue.prune(retention: .seconds(1_800), at: later)
            }
            let first = try await submit("body")
            try await prune(first[0])
            #expect(try await engine.queue.database.read { try $0.jobs.jobs(ids: first, userID: "u").count } == 1)
            #expect(try await submit("body") == first, "one is left")
            await #expect(throws: SubmissionError.idempotencyKeyReused) { try await submit("other") }
            try await prune(first[1])
            let second = try await submit("other")
            #expect(Set(second).isDisjoint(with: first))
            #expect(try await submit("other") == second)
            await #expect(throws: SubmissionError.idempotencyKeyReused) { try await submit("body") }
        }
    }

    @Test("Twenty requests with one key at once make one job")
    func idempotencyRace() async throws {
        try await Engine.run { engine in
            let ids = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await engine.queue.submit(
                            [NewJob(kind: .test, payload: "1")], userID: "u", idempotencyKey: key("k", "body")
                        ).ids
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
            }
            #expect(ids.count == 1)
            #expect(try await engine.counts() == [.queued: 1])
        }
    }

    @Test("A unique key returns the unfinished job that has it; another body is refused with the job's id")
    func uniqueKeys() async throws {
        try await Engine.run { engine in
            let queue = engine.queue
            func submit(_ payload: String) async throws -> JobQueue.Submission {
                try await queue.submit([NewJob(kind: .test, payload: payload, uniqueKey: "k")], userID: "u")
            }
            let first = try await submit("1")
            #expect(try await submit("1").ids == first.ids)
            await #expect(throws: SubmissionError.uniqueKeyReused(jobID: first.ids[0])) { try await submit("2") }
            _ = try await queue.cancel(id: first.ids[0], userID: "u")
            let second = try await submit("2")
            #expect(second.ids != first.ids)
        }
    }

    @Test("A batch with a refused key is refused as a whole")
    func allOrNothing() async throws {
        try await Engine.run { engine in
            let first = try await engine.queue.submit([NewJob(kind: .test, payload: "1", uniqueKey: "k")], userID: "u")
            await #expect(throws: SubmissionError.uniqueKeyReused(jobID: first.ids[0])) {
                try await engine.queue.submit(
                    [NewJob(kind: .test, payload: "9"), NewJob(kind: .test, payload: "2", uniqueKey: "k")], userID: "u")
            }
            #expect(try await engine.counts() == [.queued: 1])
        }
    }

    @Test("A dead letter whose unique key an unfinished job has taken is not requeued")
    func requeueWithTakenKey() async throws {
        try await Engine.run { engine in
            engine.startWorker(
                "w1",
                handlers: [JobHandler(.test) { _ in throw JobFailure(code: "no", message: "No.", remedy: .none) }])
            let job = NewJob(kind: .test, payload: "1", uniqueKey: "k")
            let dead = try await engine.queue.submit([job], userID: "u").ids[0]
            try await engine.untilCounts { $0 == [.failed: 1] }
            var later = job
            later.runAt = Timestamp.now().advanced(by: .seconds(3_600))
            let holder = try await engine.queue.submit([later], userID: "u").ids[0]
            await #expect(throws: SubmissionError.uniqueKeyReused(jobID: holder)) {
                try await engine.queue.requeue(id: dead, userID: "u")
            }
            #expect(try await engine.counts() == [.failed: 1, .scheduled: 1])
        }
    }

    @Test("A job for which a worker is free is inserted as claimed, which takes two writes in all")
    func claimedAtInsertion() async throws {
        try await Engine.run(settings: JobSettings()) { engine in
            engine.startWorker("w1", handlers: [.diagnosticsEcho])
            let first = try #require(try await engine.submit(kind: .diagnosticsEcho).first)
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            // Rows can be read before the commit is counted; it is counted once a later write is answered.
            try await engine.database.write { _ in }
            let before = engine.database.writeStatistics.snapshot
            let accepted = try await engine.queue.submit(
                [NewJob(kind: .diagnosticsEcho, payload: "{}")], userID: "u", expectsWait: true)
            let waiter = try #require(accepted.waiter)
            await waiter.wait(until: .now.advanced(by: .seconds(50)))
            #expect(try await engine.job(accepted.ids[0])?.state == .succeeded)
            #expect(engine.database.writeStatistics.snapshot.entries - before.entries == 2)
            #expect(accepted.ids[0] > first)
        }
    }

    @Test("A failed submission frees its reserved place")
    func failedSubmission() async throws {
        try await Engine.run { engine in
            engine.startWorker("w1", concurrency: 1, handlers: [.diagnosticsEcho])
            _ = try await engine.submit(kind: .diagnosticsEcho)
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            try await engine.database.write {
                try $0.run(
                    "CREATE TRIGGER no_jobs BEFORE INSERT ON jobs BEGIN SELECT RAISE(ABORT, 'no more jobs'); END")
            }
            for _ in 0..<50 {
                await #expect(throws: StorageError.constraint("no more jobs")) {
                    _ = try await engine.submit(kind: .diagnosticsEcho)
                }
            }
            #expect(engine.queue.dispatcher.state.withLock { $0.workers.values.allSatisfy { $0.reserved == 0 } })
            try await engine.database.write { try $0.run("DROP TRIGGER no_jobs") }
            _ = try await engine.submit(kind: .diagnosticsEcho)
            try await engine.untilCounts { $0 == [.succeeded: 2] }
        }
    }

    @Test("A recurring schedule submits one job at a time, owned by the system")
    func recurringSchedule() async throws {
        try await Engine.run { engine in
            let schedule = RecurringSchedule(name: "s", kind: .test, payload: "{}", interval: .zero)
            try await engine.queue.submitIfDue(schedule)
            for _ in 0..<3 { try await engine.queue.submitIfDue(schedule) }
            let counts = try await engine.database.read { try $0.jobs.jobCounts(userID: SystemUser.id) }
            #expect(counts == [.queued: 1])
        }
    }

    @Test("A recurring schedule set while the clock was ahead is due one interval from now")
    func recurringOfTheFuture() async throws {
        try await Engine.run { engine in
            let schedule = RecurringSchedule(name: "s", kind: .test, payload: "{}", interval: .seconds(3_600))
            let future = Timestamp.now().advanced(by: .seconds(30 * 86_400))
            _ = try await engine.database.write {
                try $0.jobs.advanceSchedule(name: "s", every: .seconds(3_600), now: future)
            }
            try await engine.queue.submitIfDue(schedule)
            let next = try #require(try await engine.database.read { try $0.jobs.nextTime(ofSchedule: "s") })
            #expect(next <= Timestamp.now().advanced(by: .seconds(3_600)))
        }
    }

    @Test("Domain schedules submit one job for each person, and none while the last has not ended")
    func domainSchedules() async throws {
        try await Engine.run(kinds: JobKinds([.test])) { engine in
            let users = (0..<450).map { "p\($0)" }
            let long = Timestamp.now().advanced(by: .seconds(-7_200))
            try await engine.database.write { transaction in
                for user in users {
                    try transaction.run(
                        "INSERT INTO users (id, name, name_key, created_at) VALUES (\(user), \(user), \(user), 0)")
                    try transaction.jobs.setSchedule(
                        kind: JobKind.test.name, userID: user, every: .seconds(3_600), now: long)
                    // The schedule of a removed kind.
                    try transaction.jobs.setSchedule(kind: "gone.kind", userID: user, every: .seconds(3_600), now: long)
                }
            }
            func submitted() async throws -> [Int] {
                try await engine.database.read { reader in
                    try users.map { try reader.jobs.jobCounts(userID: $0).values.reduce(0, +) }
                }
            }
            for _ in 0..<2 {
                let began = Timestamp.now()
                try await engine.queue.submitDueSchedules()
                #expect(try await submitted().allSatisfy { $0 == 1 })
                // Some of them may have become due since.
                let late = try await engine.database.read {
                    try $0.rows("SELECT 1 AS late FROM domain_schedules WHERE next_at <= \(began)")
                }
                #expect(late.isEmpty)
            }
            // The next time comes before the first job has run.
            try await engine.database.write {
                try $0.run("UPDATE domain_schedules SET next_at = next_at - 7200000000")
            }
            try await engine.queue.submitDueSchedules()
            #expect(try await submitted().allSatisfy { $0 == 1 })
        }
    }
}
