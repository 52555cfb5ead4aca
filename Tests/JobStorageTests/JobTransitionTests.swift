import JobStorage
import Model
import Storage
import TestSupport
import Testing

/// A request for a transition of a job.
enum JobRequest: CaseIterable {
    case claim, claimFirst, makeDue, succeed, fail, retry, release, crash, postpone, cancel, requeue

    /// The state after the request; `nil` when the request changes nothing.
    func outcome(from state: JobState) -> JobState? {
        switch (self, state) {
        case (.claim, .queued), (.claimFirst, .queued): .running
        case (.makeDue, .scheduled): .queued
        case (.succeed, .running): .succeeded
        case (.fail, .running): .failed
        case (.retry, .running), (.postpone, .running): .scheduled
        case (.release, .running), (.crash, .running): .queued
        case (.cancel, .scheduled), (.cancel, .queued), (.cancel, .running): .cancelled
        case (.requeue, .failed): .queued
        default: nil
        }
    }

    /// Makes the request; returns whether it reports a change.
    func make(of run: JobRun, userID: String, in transaction: WriteTransaction) throws -> Bool {
        let kind: String = try transaction.row("SELECT kind FROM jobs WHERE id = \(run.jobID)")?["kind"] ?? sampleKind
        return switch self {
        case .claim:
            try transaction.jobs.claim(
                jobID: run.jobID, lastRun: run.run, worker: "w/2", leaseExpiresAt: MonotonicInstant(microseconds: 5),
                now: noon) != nil
        case .claimFirst:
            try transaction.jobs.claimFirst(
                jobID: run.jobID, userID: userID, kind: kind, worker: "w/2",
                leaseExpiresAt: MonotonicInstant(microseconds: 5), now: noon)
        case .makeDue: try transaction.jobs.makeDue(jobID: run.jobID)
        case .succeed: try transaction.jobs.succeed(run, userID: userID, kind: kind, result: "1", now: noon)
        case .fail:
            try transaction.jobs.fail(run, userID: userID, kind: kind, code: "c", message: "m", retryAt: nil, now: noon)
        case .retry:
            try transaction.jobs.fail(
                run, userID: userID, kind: kind, code: "c", message: "m", retryAt: noon + .seconds(9), now: noon)
        case .release: try transaction.jobs.release(run, afterCrash: false)
        case .crash: try transaction.jobs.release(run, afterCrash: true, crashWeight: 3)
        case .postpone: try transaction.jobs.postpone(run, userID: userID, kind: kind, until: noon + .seconds(9))
        case .cancel: try transaction.jobs.cancel(jobID: run.jobID, userID: userID, now: noon) != nil
        case .requeue: try transaction.jobs.requeue(jobID: run.jobID, userID: userID, now: noon)
        }
    }
}

@Suite("Transitions of jobs")
struct JobTransitionTests {
    @Test(
        "Every request in every state changes what the table of transitions says, and nothing else",
        arguments: JobRequest.allCases, JobState.allCases)
    func tableOfTransitions(request: JobRequest, state: JobState) async throws {
        try await withDatabase { database, _ in
            let run = try await database.makeJob(in: state)
            let before = try #require(try await database.job(run.jobID))
            let hasChanged = try await database.write { try request.make(of: run, userID: "u", in: $0) }
            let after = try #require(try await database.job(run.jobID))
            let expected = request.outcome(from: state)
            #expect(hasChanged == (expected != nil))
            #expect(after.state == expected ?? state)
            if expected == nil {
                #expect(after.change == before.change)
                #expect(after.run == before.run)
            } else {
                #expect(after.change > before.change)
            }
            #expect(
                try await database.read { try $0.jobs.jobCounts(userID: "u") }.filter { $0.value != 0 } == [
                    after.state: 1
                ])
            #expect((after.finishedAt != nil) == after.state.isFinished)
        }
    }

    @Test("A stale run changes nothing", arguments: [JobRequest.succeed, .fail, .retry, .release, .crash, .postpone])
    func staleRun(request: JobRequest) async throws {
        try await withDatabase { database, _ in
            let stale = try await database.makeJob(in: .running)
            let current = try await database.write { transaction in
                _ = try transaction.jobs.release(stale, afterCrash: true)
                return try transaction.claimed(stale.jobID)
            }
            #expect(current.run == stale.run + 1)
            let before = try #require(try await database.job(stale.jobID))
            for run in [stale, JobRun(jobID: stale.jobID, run: current.run + 1), JobRun(jobID: "unknown", run: 1)] {
                #expect(try await database.write { try request.make(of: run, userID: "u", in: $0) } == false)
            }
            let after = try #require(try await database.job(stale.jobID))
            #expect(after.state == .running)
            #expect(after.change == before.change)
            #expect(try await database.read { try $0.jobs.attempts(jobID: stale.jobID) }.isEmpty)
        }
    }

    @Test("A cancelled run cannot complete, and its worker is named")
    func cancelBeatsCompletion() async throws {
        try await withDatabase { database, _ in
            let run = try await database.makeJob(in: .running)
            let cancelled = try await database.write { try $0.jobs.cancel(jobID: run.jobID, userID: "u", now: noon) }
            #expect(cancelled?.worker == "w/1")
            #expect(cancelled?.run == run)
            let hasSucceeded = try await database.write {
                try $0.jobs.succeed(run, userID: "u", kind: sampleKind, result: "1", now: noon)
            }
            #expect(!hasSucceeded)
            let job = try #require(try await database.job(run.jobID))
            #expect(job.state == .cancelled)
            #expect(job.result == nil)
        }
    }

    @Test("A waiting job that is cancelled names no worker, not even that of an earlier run")
    func cancelWaiting() async throws {
        try await withDatabase { database, _ in
            let run = try await database.makeJob(in: .running)
            let cancelled = try await database.write { transaction in
                _ = try transaction.jobs.fail(
                    run, userID: "u", kind: sampleKind, code: "c", message: "m", retryAt: noon + .seconds(5), now: noon)
                return try transaction.jobs.cancel(jobID: run.jobID, userID: "u", now: noon)
            }
            #expect(cancelled != nil)
            #expect(cancelled?.worker == nil)
        }
    }

    @Test("Another user's job cannot be cancelled, requeued or read")
    func otherUser() async throws {
        try await withDatabase { database, _ in
            let running = try await database.makeJob(in: .running)
            let failed = try await database.makeJob(in: .failed)
            try await database.write { (transaction) throws in
                #expect(try transaction.jobs.cancel(jobID: running.jobID, userID: "other", now: noon) == nil)
                #expect(try transaction.jobs.requeue(jobID: failed.jobID, userID: "other", now: noon) == false)
            }
            #expect(try await database.job(running.jobID, userID: "other") == nil)
            #expect(try await database.job(running.jobID)?.state == .running)
        }
    }

    @Test("The run number increases with each hand-out and is never reset; attempts are")
    func runRises() async throws {
        try await withDatabase { database, _ in
            let first = try await database.makeJob(in: .failed)
            try await database.write { transaction in
                #expect(try transaction.jobs.requeue(jobID: first.jobID, userID: "u", now: noon))
                let second = try transaction.claimed(first.jobID)
                #expect(second.run == 2)
                #expect(try transaction.jobs.job(id: first.jobID, userID: "u")?.attempt == 1)
                #expect(try transaction.jobs.release(second, afterCrash: false))
                #expect(try transaction.jobs.job(id: first.jobID, userID: "u")?.attempt == 0)
                let third = try transaction.claimed(first.jobID)
                #expect(third.run == 3)
                #expect(try transaction.jobs.postpone(third, userID: "u", kind: sampleKind, until: noon))
                #expect(try transaction.jobs.job(id: first.jobID, userID: "u")?.attempt == 0)
            }
        }
    }

    @Test("Each failed attempt leaves a row, even after a requeue")
    func rowsOfFailedAttempts() async throws {
        try await withDatabase { database, _ in
            let id = try await database.makeJob(in: .queued).jobID
            try await database.write { transaction in
                for (attempt, isLast) in [(1, false), (2, true), (1, true)] {
                    let run = try transaction.claimed(id)
                    _ = try transaction.jobs.fail(
                        run, userID: "u", kind: sampleKind, code: "code\(run.run)", message: "message",
                        retryAt: isLast ? nil : noon,
                        now: noon + .seconds(attempt))
                    _ =
                        isLast
                        ? try transaction.jobs.requeue(jobID: id, userID: "u", now: noon)
                        : try transaction.jobs.makeDue(jobID: id)
                }
            }
            let attempts = try await database.read { try $0.jobs.attempts(jobID: id) }
            #expect(attempts.map(\.errorCode) == ["code1", "code2", "code3"])
            #expect(attempts.map(\.attempt) == [1, 2, 1])
            #expect(attempts.map(\.startedAt) == [noon, noon, noon])
            let job = try #require(try await database.job(id))
            #expect(job.errorCode == nil)
            #expect(job.attempt == 0)
        }
    }

    @Test("A crash marks a job and weighs against it; an outcome clears the mark, and a requeue also the weight")
    func crashMarks() async throws {
        try await withDatabase { database, _ in
            let run = try await database.makeJob(in: .running)
            _ = try await database.write {
                try $0.jobs.release(run, afterCrash: true, crashWeight: 3, crashGroup: "g", isOutage: true, now: noon)
            }
            let waiting = try #require(
                try await database.read { try $0.jobs.waitingJobs(changedAfter: 0, limit: 9) }.first)
            #expect(waiting.crashGroup == "g" && waiting.outageAt == noon)
            #expect(waiting.crashes == 3)
            let second = try await database.write { transaction in
                let second = try transaction.claimed(run.jobID)
                _ = try transaction.jobs.release(second, afterCrash: false)
                return try transaction.claimed(run.jobID)
            }
            let running = try #require(try await database.read { try $0.jobs.runningJobs() }.first)
            // A release without a death changes none of these.
            #expect(running.crashGroup == "g" && running.outageAt == noon)
            #expect(running.crashes == 3)
            try await database.write { transaction in
                _ = try transaction.jobs.fail(
                    second, userID: "u", kind: sampleKind, code: "c", message: "m", retryAt: nil, now: noon)
                _ = try transaction.jobs.requeue(jobID: run.jobID, userID: "u", now: noon)
            }
            let requeued = try #require(
                try await database.read { try $0.jobs.waitingJobs(changedAfter: 0, limit: 9) }.first)
            #expect(requeued.crashGroup == nil)
            #expect(requeued.crashes == 0)
        }
    }

    @Test("A suspect without a group is a group by itself, and a death without suspicion marks nobody")
    func earlierMarks() async throws {
        try await withDatabase { database, _ in
            let marked = try await database.makeJob(in: .queued).jobID
            try await database.write { try $0.run("UPDATE jobs SET is_suspect = 1 WHERE id = \(marked)") }
            let run = try await database.makeJob(in: .running)
            _ = try await database.write { try $0.jobs.release(run, afterCrash: true, isOutage: true, now: noon) }
            let waiting = try await database.read { try $0.jobs.waitingJobs(changedAfter: 0, limit: 9) }
            #expect(waiting.map(\.crashGroup) == [marked, nil])
            #expect(waiting.map(\.outageAt) == [nil, noon])
        }
    }
}
