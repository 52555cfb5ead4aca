import Model
import Storage
import TestSupport
import Testing

@testable import JobStorage

@Suite("Checkpoints of jobs")
struct JobCheckpointTests {
    /// - Parameter work: by default the number in the state.
    private func checkpoint(
        _ state: String, version: Int = 1, work: Int? = nil, of run: JobRun, ranFor: Duration = .zero,
        in database: Database
    ) async throws -> CheckpointResult? {
        let checkpoint = JobCheckpoint(version: version, state: state, work: work ?? Int(state) ?? 0)
        return try await database.write { transaction in
            guard try transaction.jobs.beginCheckpoint(of: run, ranFor: ranFor) else { return nil }
            return try transaction.jobs.writeCheckpoint(checkpoint, of: run, now: noon)
        }
    }

    private func again(_ run: JobRun, _ database: Database) async throws -> JobRun {
        try await database.write { try $0.claimed(run.jobID) }
    }

    private func kept(_ database: Database) async throws -> [String] {
        try await database.read { try $0.rows("SELECT state FROM job_checkpoints").map { try $0["state"] } }
    }

    @Test("The next run starts from the last state and running time; a run that is not running writes nothing")
    func nextRunContinues() async throws {
        try await withDatabase { database, _ in
            let run = try await database.makeJob(in: .running)
            #expect(try await database.read { try $0.jobs.start(of: run) }?.checkpoint == nil)
            #expect(try await checkpoint("1", of: run, ranFor: .seconds(3), in: database)?.isProgress == true)
            #expect(
                try await checkpoint("2", version: 7, of: run, ranFor: .seconds(4), in: database)?.isProgress == true)
            _ = try await database.write { try $0.jobs.release(run, afterCrash: true) }
            #expect(try await checkpoint("3", of: run, in: database) == nil)
            #expect(try await database.read { try $0.jobs.start(of: run) } == nil)
            let next = try await again(run, database)
            #expect(try await checkpoint("3", of: run, in: database) == nil)
            let start = try await database.read { try $0.jobs.start(of: next) }
            #expect(start?.checkpoint == JobCheckpoint(version: 7, state: "2", work: 2))
            #expect(start?.ranFor == .seconds(7))
        }
    }

    @Test("More work than ever before is progress and clears marks; a different state is not")
    func progressClearsMarks() async throws {
        try await withDatabase { database, _ in
            var run = try await database.makeJob(in: .running)
            _ = try await database.write { [run] in
                try $0.jobs.fail(
                    run, userID: "u", kind: sampleKind, code: "c", message: "m", retryAt: noon, now: noon)
            }
            _ = try await database.write { [run] in try $0.jobs.makeDue(jobID: run.jobID) }
            run = try await again(run, database)
            _ = try await database.write { [run] in
                try $0.jobs.release(run, afterCrash: true, crashWeight: 3, crashGroup: "g")
            }
            run = try await again(run, database)
            #expect(try await database.job(run.jobID)?.attempt == 2)
            let before = try await database.read { try $0.lastChange() }
            #expect(
                try await checkpoint("1", of: run, in: database) == CheckpointResult(isProgress: true, hasCleared: true)
            )
            let running = try #require(try await database.read { try $0.jobs.runningJobs() }.first)
            #expect(running.crashGroup == nil && running.crashes == 0)
            let job = try #require(try await database.job(run.jobID))
            #expect(job.attempt == 1 && job.change > before)
            // Event streams find the change, although the job is still running.
            #expect(
                try await database.read { try $0.jobs.latestChanges(of: ["u"], after: before) } == ["u": job.change])
            #expect(
                try await checkpoint("1", of: run, in: database)
                    == CheckpointResult(isProgress: false, hasCleared: false))
            #expect(
                try await checkpoint("3", version: 2, of: run, in: database)
                    == CheckpointResult(isProgress: true, hasCleared: false))
            // A state that goes back and forth is stored, but is never progress.
            for (state, work) in [("again", 1), ("3", 3), ("again", 1), ("3", 3)] {
                #expect(
                    try await checkpoint(state, version: 2, work: work, of: run, in: database)
                        == CheckpointResult(isProgress: false, hasCleared: false))
                #expect(try await kept(database) == [state])
            }
            #expect(
                try await checkpoint("3", version: 2, work: 4, of: run, in: database)
                    == CheckpointResult(isProgress: true, hasCleared: false))
            // No row is left.
            #expect(try await database.job(run.jobID)?.change == job.change)
            // The number of deaths is never reset.
            let deaths = try await database.write { [run] in try $0.jobs.deaths(ofJob: run.jobID) }
            #expect(deaths == 1)
        }
    }

    @Test("Every end of a run counts its time; a postponement clears suspicion; a requeue resets both")
    func timeAndMarks() async throws {
        try await withDatabase { database, _ in
            var run = try await database.makeJob(in: .running)
            _ = try await database.write { [run] in
                try $0.jobs.release(run, afterCrash: true, crashGroup: "g", ranFor: .seconds(1))
            }
            run = try await again(run, database)
            #expect(try await database.read { try $0.jobs.runningJobs() }.first?.crashGroup == "g")
            _ = try await database.write { [run] in
                try $0.jobs.postpone(
                    run, userID: "u", kind: sampleKind, until: noon, awaiting: "spotify", ranFor: .seconds(2))
            }
            let waiting = try #require(
                try await database.read { try $0.jobs.waitingJobs(changedAfter: 0, limit: 9) }.first)
            #expect(waiting.crashGroup == nil)
            _ = try await database.write { [run] in try $0.jobs.makeDue(jobID: run.jobID) }
            run = try await again(run, database)
            #expect(try await checkpoint("1", of: run, in: database) != nil)
            let later = try await database.read { [run] in try $0.jobs.start(of: run) }
            #expect(later?.ranFor == .seconds(3))
            _ = try await database.write { [run] in
                try $0.jobs.fail(
                    run, userID: "u", kind: sampleKind, code: "c", message: "m", retryAt: nil, ranFor: .seconds(4),
                    now: noon)
            }
            #expect(try await kept(database) == ["1"])
            _ = try await database.write { [run] in try $0.jobs.requeue(jobID: run.jobID, userID: "u", now: noon) }
            run = try await again(run, database)
            let start = try await database.read { [run] in try $0.jobs.start(of: run) }
            #expect(start?.ranFor == .zero && start?.checkpoint?.state == "1")
            let deaths = try await database.write { [run] in try $0.jobs.deaths(ofJob: run.jobID) }
            #expect(deaths == 0)
        }
    }

    @Test("No state is left of jobs that succeeded, were cancelled, erased or pruned")
    func deletedStates() async throws {
        try await withDatabase { database, _ in
            func running() async throws -> JobRun {
                let run = try await database.makeJob(in: .running)
                #expect(try await checkpoint("1", of: run, in: database) != nil)
                #expect(try await kept(database) == ["1"])
                return run
            }
            var run = try await running()
            _ = try await database.write { [run] in
                try $0.jobs.succeed(run, userID: "u", kind: sampleKind, result: "{}", now: noon, keepsState: true)
            }
            #expect(try await kept(database).isEmpty)
            run = try await running()
            _ = try await database.write { [run] in try $0.jobs.cancel(jobID: run.jobID, userID: "u", now: noon) }
            #expect(try await kept(database).isEmpty)
            run = try await running()
            try await database.write { [run] in try $0.jobs.eraseJob(id: run.jobID) }
            #expect(try await kept(database).isEmpty)
            run = try await running()
            _ = try await database.write { [run] in
                try $0.jobs.fail(run, userID: "u", kind: sampleKind, code: "c", message: "m", retryAt: nil, now: noon)
            }
            let later = Timestamp.now().advanced(by: .seconds(366 * 86_400))
            _ = try await database.write { try $0.jobs.pruneJobs(finishedBefore: .unguarded(later), limit: 9) }
            #expect(try await kept(database).isEmpty)
        }
    }
}
