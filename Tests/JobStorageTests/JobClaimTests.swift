import JobStorage
import Model
import Storage
import TestSupport
import Testing

@Suite("Claims of jobs and their leases")
struct JobClaimTests {
    @Test("A job that ran before is not claimed as a first run")
    func claimFirst() async throws {
        try await withDatabase { database, _ in
            let run = try await database.makeJob(in: .running)
            _ = try await database.write { try $0.jobs.release(run, afterCrash: false) }
            let isClaimed = try await database.write { try JobRequest.claimFirst.make(of: run, userID: "u", in: $0) }
            #expect(!isClaimed)
            #expect(try await database.job(run.jobID)?.run == 1)
        }
    }

    @Test("A claim that was decided before the job's last run fails")
    func claimAfterAnotherRun() async throws {
        try await withDatabase { database, _ in
            let run = try await database.makeJob(in: .running)
            _ = try await database.write { try $0.jobs.release(run, afterCrash: true) }
            for lastRun in [run.run - 1, run.run + 1] {
                let other = JobRun(jobID: run.jobID, run: lastRun)
                let isClaimed = try await database.write { try JobRequest.claim.make(of: other, userID: "u", in: $0) }
                #expect(!isClaimed)
            }
            #expect(try await database.write { try JobRequest.claim.make(of: run, userID: "u", in: $0) })
            #expect(try await database.job(run.jobID)?.run == run.run + 1)
        }
    }

    @Test("A job inserted as claimed is running with its first run")
    func insertedAsClaimed() async throws {
        try await withDatabase { database, _ in
            let claim = JobInsertion.Claim(worker: "w/7", leaseExpiresAt: MonotonicInstant(microseconds: 77))
            let job = JobInsertion.sample(claim: claim)
            let later = JobInsertion.sample(runAt: noon + .seconds(1), claim: claim)
            try await database.write { transaction in
                try transaction.jobs.insert(job)
                try transaction.jobs.insert(later)
            }
            let running = try await database.read { try $0.jobs.runningJobs() }
            #expect(running.map(\.run) == [JobRun(jobID: job.id, run: 1)])
            #expect(running.map(\.worker) == ["w/7"])
            #expect(try await database.job(job.id)?.attempt == 1)
            #expect(try await database.job(later.id)?.state == .scheduled)
            #expect(try await database.job(later.id)?.run == 0)
        }
    }

    @Test("Leases are extended only for the named runs, however many there are", arguments: [1, 3, 501, 1_200])
    func extendedLeases(count: Int) async throws {
        try await withDatabase { database, _ in
            let (soon, late) = (MonotonicInstant(microseconds: 1_000), MonotonicInstant(microseconds: 9_000))
            let runs = try await database.write { transaction in
                try (0...count).map { index in
                    let job = JobInsertion.sample(claim: .init(worker: "w/1", leaseExpiresAt: soon))
                    try transaction.jobs.insert(job)
                    return JobRun(jobID: job.id, run: index == 0 ? 2 : 1)
                }
            }
            let ended = try await database.write {
                try $0.jobs.extendLeases(of: runs, until: late, margin: MonotonicInstant(microseconds: 2_000))
            }
            // The row of the first one has another run.
            #expect(ended == [runs[0]])
            let extended = try await database.read {
                try $0.row("SELECT COUNT(*) AS n FROM jobs WHERE lease_expires_at = \(late)")?["n"] as Int?
            }
            #expect(extended == count)
            // Leases that end late enough are not extended.
            let stillEnded = try await database.write {
                try $0.jobs.extendLeases(
                    of: runs, until: MonotonicInstant(microseconds: 9_999),
                    margin: MonotonicInstant(microseconds: 9_000))
            }
            #expect(stillEnded == [runs[0]])
            let untouched = try await database.read {
                try $0.row("SELECT COUNT(*) AS n FROM jobs WHERE lease_expires_at = \(late)")?["n"] as Int?
            }
            #expect(untouched == count)
        }
    }

    @Test("A claimed job has its trace")
    func traceOfAClaim() async throws {
        try await withDatabase { database, _ in
            let job = JobInsertion.sample(trace: "4bf92f3577b34da6a3ce929d0e0e4736")
            let claimed = try await database.write { transaction in
                try transaction.jobs.insert(job)
                return try transaction.jobs.claim(
                    jobID: job.id, lastRun: 0, worker: "w/1", leaseExpiresAt: MonotonicInstant(microseconds: 9),
                    now: noon)
            }
            #expect(claimed?.trace == job.trace)
        }
    }
}
