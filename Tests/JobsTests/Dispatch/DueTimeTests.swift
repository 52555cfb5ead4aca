import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("When jobs are due, including after the clock was set back")
struct DueTimeTests {
    private static let now = Timestamp(microseconds: 1_795_000_000_000_000)
    private static let day: Int64 = 86_400
    /// How far ahead the wrong clock is, in seconds.
    private static let ahead: Int64 = 8 * 365 * day

    /// A moment, in seconds from now.
    private static func time(_ seconds: Int64) -> Timestamp { now.advanced(by: .seconds(seconds)) }

    /// The number of seconds until the job that `write` inserts is due.
    private func due(
        _ write: @escaping @Sendable (WriteTransaction) throws -> Void
    ) async throws -> Int64? {
        let job = try await withDatabase { database, _ in
            try await database.write { transaction in
                try write(transaction)
                return try transaction.jobs.waitingJobs(changedAfter: 0, limit: 2).first
            }
        }
        return job.map { Self.now.duration(to: $0.due(now: Self.now)).components.seconds }
    }

    /// A running job that began the given number of seconds from now.
    private static func insertRun(startedAt start: Int64, in transaction: WriteTransaction) throws -> JobRun {
        let job = JobInsertion(
            id: UUIDv7.next(), userID: "u", kind: "diagnostics.echo", version: 1, payload: "{}", priority: 0,
            maximumAttempts: 5, createdAt: time(start), runAt: time(start),
            claim: .init(worker: "w/1", leaseExpiresAt: MonotonicInstant(microseconds: 1_000)))
        try transaction.jobs.insert(job)
        return JobRun(jobID: job.id, run: 1)
    }

    /// The times of a run that postponed its job, in seconds from now, and the number of seconds until the job is due.
    private struct PostponedRun: Sendable {
        var what: String
        var startedAt: Int64
        var plannedAt: Int64
        var runAt: Int64
        var due: Int64

        init(_ what: String, _ startedAt: Int64, _ plannedAt: Int64, _ runAt: Int64, due: Int64) {
            (self.what, self.startedAt, self.plannedAt) = (what, startedAt, plannedAt)
            (self.runAt, self.due) = (runAt, due)
        }
    }

    @Test("A postponed job waits as long as it was meant to, whenever the clock was wrong")
    func putOff() async throws {
        let (ahead, day) = (Self.ahead, Self.day)
        let cases = [
            PostponedRun("the clock was right", -100, -10, 290, due: 290),
            PostponedRun("the clock was right, and the pause lasts a day", -100, 0, day, due: day),
            PostponedRun("the clock went ahead during the run", -100, ahead, ahead + 300, due: 300),
            PostponedRun("the clock went ahead before the run", ahead - 100, ahead, ahead + 300, due: 300),
            PostponedRun("its time had come", -100, ahead, ahead - 1, due: 0),
            PostponedRun("the clock was set back at the end of the run", ahead - 100, 0, ahead + 300, due: 400),
            PostponedRun("the clock was set back at the beginning of the run", ahead - 100, 0, 300, due: 300),
            PostponedRun("the clock was five minutes ahead at the beginning of the run", 300, 0, 3_600, due: 3_300),
            PostponedRun("the clock was wrong in the middle of the run", -100, 0, ahead, due: 2 * day),
            PostponedRun("an upstream named a time in the far future", ahead, ahead, 9 * ahead, due: 2 * day),
        ]
        for putOff in cases {
            let postponed = try await due { transaction in
                let run = try Self.insertRun(startedAt: putOff.startedAt, in: transaction)
                _ = try transaction.jobs.postpone(
                    run, userID: "u", kind: "diagnostics.echo", until: Self.time(putOff.runAt),
                    plannedAt: Self.time(putOff.plannedAt))
            }
            #expect(postponed == putOff.due, "put off: \(putOff.what)")
            // The failure may be written later than it happened, after the clock was set back.
            let retried = try await due { transaction in
                let run = try Self.insertRun(startedAt: putOff.startedAt, in: transaction)
                _ = try transaction.jobs.fail(
                    run, userID: "u", kind: "diagnostics.echo", code: "c", message: "m",
                    retryAt: Self.time(putOff.runAt), plannedAt: Self.time(putOff.plannedAt), now: Self.now)
            }
            #expect(retried == putOff.due, "retried: \(putOff.what)")
        }
    }

    @Test("A job whose row lacks that moment waits from the beginning of its run")
    func earlierRows() async throws {
        let (ahead, day) = (Self.ahead, Self.day)
        let cases: [(startedAt: Int64, runAt: Int64, due: Int64)] = [
            (-100, 290, 290), (ahead, ahead + 300, 300), (ahead, 300, 0), (-100, ahead, 2 * day),
        ]
        for (startedAt, runAt, expected) in cases {
            let found = try await due { transaction in
                let run = try Self.insertRun(startedAt: startedAt, in: transaction)
                _ = try transaction.jobs.postpone(
                    run, userID: "u", kind: "diagnostics.echo", until: Self.time(runAt))
                try transaction.run("UPDATE jobs SET planned_at = NULL")
            }
            #expect(found == expected, "\(startedAt), \(runAt)")
        }
    }

    @Test("A job that was resumed while the clock was ahead is due")
    func resumedWhileTheClockWasAhead() async throws {
        let found = try await due { transaction in
            let run = try Self.insertRun(startedAt: -100, in: transaction)
            _ = try transaction.jobs.postpone(
                run, userID: "u", kind: "diagnostics.echo", until: Self.time(900), awaiting: "spotify",
                plannedAt: Self.time(-10))
            try transaction.jobs.resumeJobs(userID: "u", awaiting: "spotify", now: Self.time(Self.ahead))
        }
        #expect(found == 0)
    }

    @Test("A time that a person chose is kept; one that Backline set while the clock was ahead is not")
    func neverRun() async throws {
        let ahead = Self.ahead
        let cases: [(isSubmission: Bool, createdAt: Int64, runAt: Int64, due: Int64)] = [
            (true, -10, ahead, ahead), (true, ahead, ahead + 60, ahead + 60),
            (false, -10, ahead, ahead), (false, ahead, ahead + 60, 60),
        ]
        for (isSubmission, createdAt, runAt, expected) in cases {
            let found = try await due { transaction in
                try transaction.jobs.insert(
                    JobInsertion(
                        id: UUIDv7.next(), userID: "u", kind: "diagnostics.echo", version: 1, payload: "{}",
                        priority: 0, maximumAttempts: 5, createdAt: Self.time(createdAt), runAt: Self.time(runAt),
                        isSubmission: isSubmission))
            }
            #expect(found == expected, "\(isSubmission), \(createdAt)")
        }
    }
}
