import Model
import Storage
import TestSupport
import Testing

@testable import JobStorage

@Suite("Rows that domains write when jobs end")
struct CompletionHookTests {
    private static let kind = "sample.ends"
    private struct RefusalError: Error {}

    /// A database in which each end writes a row; while `refusing` has a row, the end then throws.
    private func withEnds(
        undo: (@Sendable (FinishedJob, WriteTransaction) throws -> CompletionHook.UndoResult)? = nil,
        _ body: (Database, Collector<HookFailure>) async throws -> Void
    ) async throws {
        try await withDatabase { database, _ in
            let refusals = Collector<HookFailure>()
            try await database.write { transaction in
                try transaction.run("CREATE TABLE told (number INTEGER PRIMARY KEY, job_id TEXT, ending TEXT)")
                try transaction.run("CREATE TABLE refusing (number INTEGER PRIMARY KEY)")
            }
            let end = CompletionHook(kind: Self.kind, undo: undo) { job, transaction in
                try transaction.run(
                    "INSERT INTO told (job_id, ending) VALUES (\(job.id), \("\(job.userID) \(job.ending)"))")
                guard try transaction.row("SELECT 1 FROM refusing") == nil else { throw RefusalError() }
            }
            database.register([end]) { refusals.append($0) }
            try await body(database, refusals)
        }
    }

    private func told(_ database: Database) async throws -> [String] {
        try await database.read { try $0.rows("SELECT ending FROM told ORDER BY number").map { try $0["ending"] } }
    }

    private func job(_ database: Database, in state: JobState) async throws -> JobRun {
        try await database.makeJob(.sample(kind: Self.kind), in: state)
    }

    private func fail(
        _ run: JobRun, retryAt: Timestamp? = nil, in database: Database
    ) async throws -> Bool {
        try await database.write {
            try $0.jobs.fail(run, userID: "u", kind: Self.kind, code: "no", message: "No.", retryAt: retryAt, now: noon)
        }
    }

    @Test("Each ending is written once, with its kind")
    func everyEndingIsWrittenOnce() async throws {
        try await withEnds { database, refusals in
            let succeeded = try await job(database, in: .running)
            let isOurs = try await database.write { transaction in
                try transaction.jobs.succeed(succeeded, userID: "u", kind: Self.kind, result: "{}", now: noon) {
                    try transaction.run("INSERT INTO told (job_id, ending) VALUES ('', 'rows of the result')")
                }
            }
            #expect(isOurs)
            #expect(try await fail(try await job(database, in: .running), in: database))
            for state in [JobState.scheduled, .queued, .running] {
                let run = try await job(database, in: state)
                _ = try await database.write { try $0.jobs.cancel(jobID: run.jobID, userID: "u", now: noon) }
            }
            let erased = try await job(database, in: .queued)
            _ = try await database.write {
                try $0.jobs.cancel(jobID: erased.jobID, userID: "u", as: .erased, now: noon)
            }
            let other = try await job(database, in: .running)
            try await database.write { transaction in
                try transaction.jobs.eraseJob(id: other.jobID)
                // The end is written once.
                try transaction.jobs.eraseJob(id: erased.jobID)
            }
            let failed = #"u failed(code: "no")"#
            #expect(
                try await told(database) == [
                    "rows of the result", "u succeeded", failed, "u cancelled", "u cancelled", "u cancelled",
                    "u erased", "u erased",
                ])
            #expect(refusals.elements.isEmpty)
        }
    }

    @Test("Changes that do not end a job, stale runs and other kinds write nothing")
    func noEnds() async throws {
        try await withEnds { database, _ in
            #expect(try await fail(try await job(database, in: .running), retryAt: noon, in: database))
            let released = try await job(database, in: .running)
            _ = try await database.write { try $0.jobs.release(released, afterCrash: true, crashWeight: 3) }
            #expect(try await fail(released, in: database) == false)
            let postponed = try await job(database, in: .running)
            _ = try await database.write {
                try $0.jobs.postpone(postponed, userID: "u", kind: Self.kind, until: noon)
            }
            let stale = JobRun(jobID: postponed.jobID, run: postponed.run + 1)
            let isOurs = try await database.write { transaction in
                try transaction.jobs.succeed(stale, userID: "u", kind: Self.kind, result: "{}", now: noon) {
                    try transaction.run("INSERT INTO told (job_id, ending) VALUES ('', 'never')")
                }
            }
            #expect(!isOurs)
            _ = try await database.makeJob(in: .failed)
            #expect(try await told(database).isEmpty)
        }
    }

    @Test("A refused end does not keep its job open; its rows are retried and written once")
    func refusedHooksAreRetried() async throws {
        try await withEnds { database, refusals in
            try await database.write { try $0.run("INSERT INTO refusing (number) VALUES (1)") }
            let run = try await job(database, in: .running)
            #expect(try await fail(run, in: database))
            #expect(try await database.job(run.jobID)?.state == .failed)
            #expect(try await told(database).isEmpty)
            #expect(await refusals.wait(for: 1).map(\.tries) == [1])
            #expect(refusals.elements.first?.error is RefusalError)
            #expect(try await database.countedStates() == ["u": [.failed: 1]])
            #expect(try await database.read { try $0.jobs.jobCounts(userID: "u") }[.failed] == 1)

            // An end is tried when it is due, and later after each refusal.
            #expect(try await database.read { try $0.jobs.hasPendingHooks(now: noon) } == false)
            let first = try await database.write { try $0.jobs.runPendingHooks(now: noon + .seconds(1), limit: 9) }
            #expect(first.tried == 1 && first.written == 0)
            #expect(await refusals.wait(for: 2).map(\.tries) == [1, 2])
            #expect(try await database.read { try $0.jobs.hasPendingHooks(now: noon + .seconds(2)) } == false)
            #expect(try await database.read { try $0.jobs.hasPendingHooks(now: noon + .seconds(3)) })

            try await database.write { transaction in
                try transaction.run("DELETE FROM refusing")
                // The job's own row may be gone by then.
                try transaction.jobs.eraseJob(id: run.jobID)
            }
            let second = try await database.write { try $0.jobs.runPendingHooks(now: noon + .seconds(3), limit: 9) }
            #expect(second.tried == 1 && second.written == 1)
            let third = try await database.write { try $0.jobs.runPendingHooks(now: noon + .seconds(9_999), limit: 9) }
            #expect(third.tried == 0)
            #expect(try await told(database) == [#"u failed(code: "no")"#])
        }
    }

    @Test("A refused end is retried at once when the clock was ahead and is set back")
    func clockSetBack() async throws {
        try await withEnds { database, _ in
            try await database.write { try $0.run("INSERT INTO refusing (number) VALUES (1)") }
            _ = try await fail(try await job(database, in: .running), in: database)
            try await database.write { try $0.run("DELETE FROM refusing") }
            // The longest pause between two attempts is 15 minutes.
            let (known, unknown) = (noon + .seconds(1 - 900), noon + .seconds(1 - 901))
            #expect(try await database.read { try $0.jobs.hasPendingHooks(now: known) } == false)
            #expect(try await database.read { try $0.jobs.hasPendingHooks(now: unknown) })
            #expect(try await database.write { try $0.jobs.runPendingHooks(now: unknown, limit: 9) }.written == 1)
        }
    }

    @Test("A refused end rolls back its own writes and no others of its transaction")
    func refusedHookRollsBackAlone() async throws {
        try await withDatabase { database, _ in
            let others = try await database.makeJob(in: .queued)
            database.register([
                CompletionHook(kind: Self.kind) { _, transaction in
                    _ = try transaction.jobs.cancel(jobID: others.jobID, userID: "u", now: noon)
                    throw RefusalError()
                }
            ]) { _ in }
            let run = try await job(database, in: .running)
            try await database.write { transaction in
                _ = try transaction.jobs.fail(
                    run, userID: "u", kind: Self.kind, code: "no", message: "No.", retryAt: nil, now: noon)
                try transaction.jobs.insert(.sample())
            }
            #expect(try await database.countedStates() == ["u": [.failed: 1, .queued: 2]])
            // Counters of states without jobs stay at zero.
            let counts = try await database.read { try $0.jobs.jobCounts(userID: "u") }
            #expect(counts.filter { $0.value != 0 } == [.failed: 1, .queued: 2])
        }
    }

    @Test("A requeue undoes the end, or is refused and changes nothing")
    func requeueUndoesTheHook() async throws {
        try await withEnds { database, _ in
            let run = try await job(database, in: .failed)
            await #expect(throws: JobNotRequeueable(jobID: run.jobID)) {
                try await database.write { try $0.jobs.requeue(jobID: run.jobID, userID: "u", now: noon) }
            }
            #expect(try await database.job(run.jobID)?.state == .failed)
            // An end that was never written needs no undoing.
            try await database.write { try $0.run("INSERT INTO refusing (number) VALUES (1)") }
            let owed = try await job(database, in: .failed)
            #expect(try await database.write { try $0.jobs.requeue(jobID: owed.jobID, userID: "u", now: noon) })
            #expect(try await database.read { try $0.jobs.hasPendingHooks(now: noon + .seconds(9_999)) } == false)
            // The same goes for a job that is not a dead letter.
            #expect(
                try await database.write { try $0.jobs.requeue(jobID: owed.jobID, userID: "u", now: noon) } == false)
        }
        let undo: @Sendable (FinishedJob, WriteTransaction) throws -> CompletionHook.UndoResult = { job, transaction in
            try transaction.run("DELETE FROM told WHERE job_id = \(job.id)")
            return job.ending == .failed(code: "broken") ? .undone : .impossible
        }
        try await withEnds(undo: undo) { database, _ in
            let (run, other) = (try await job(database, in: .failed), try await job(database, in: .running))
            #expect(try await fail(other, in: database))
            #expect(try await database.write { try $0.jobs.requeue(jobID: run.jobID, userID: "u", now: noon) })
            await #expect(throws: JobNotRequeueable(jobID: other.jobID)) {
                try await database.write { try $0.jobs.requeue(jobID: other.jobID, userID: "u", now: noon) }
            }
            #expect(try await told(database) == [#"u failed(code: "no")"#])
            #expect(try await database.job(run.jobID)?.state == .queued)
        }
    }

    @Test("Refused ends are reported by shared transactions and by entries that run again alone")
    func lostBatch() async throws {
        try await withEnds { database, refusals in
            try await database.write { try $0.run("INSERT INTO refusing (number) VALUES (1)") }
            let runs = [try await job(database, in: .running), try await job(database, in: .running)]
            let gate = Gate()
            database.enqueueWrite { _ in
                gate.wait()
            } completion: { _ in
            }
            for run in runs {
                database.enqueueWrite(isPlain: true) {
                    try $0.jobs.succeed(run, userID: "u", kind: Self.kind, result: "{}", now: noon)
                } completion: { _ in
                }
            }
            // Its error makes the entries before it run again one by one.
            database.enqueueWrite(isPlain: true) {
                try $0.run("no such statement")
            } completion: { _ in
            }
            gate.open()
            #expect(Set(await refusals.wait(for: 2).map(\.jobID)) == Set(runs.map(\.jobID)))
            #expect(refusals.elements.count == 2)
        }
    }

    @Test("A job ends although writing its domain's rows encounters a damaged page, and its end is owed")
    func damagedRows() async throws {
        try await withDatabase { database, _ in
            let refusals = Collector<HookFailure>()
            try await database.write { transaction in
                try transaction.run("CREATE TABLE notes (id BIGINT PRIMARY KEY, text TEXT)")
                for id in 0..<40 {
                    let text = "row \(id) " + String(repeating: "x", count: 3_000)
                    try transaction.run("INSERT INTO notes (id, text) VALUES (\(id), \(text))")
                }
            }
            let end = CompletionHook(kind: Self.kind) { _, transaction in
                try transaction.run("UPDATE notes SET text = text || 'y' WHERE id = 20")
            }
            database.register([end]) { refusals.append($0) }
            let run = try await job(database, in: .running)
            try await database.damage(pageWith: "row 20 ")
            let isOurs = try await database.write {
                try $0.jobs.succeed(run, userID: "u", kind: Self.kind, result: "{}", now: noon)
            }
            #expect(isOurs)
            #expect(try await database.job(run.jobID)?.state == .succeeded)
            #expect(refusals.elements.map(\.jobID) == [run.jobID])
            let later = noon + .seconds(10)
            let outcome = try await database.write { try $0.jobs.runPendingHooks(now: later, limit: 10) }
            #expect(outcome.tried == 1 && outcome.written == 0)
        }
    }
}
