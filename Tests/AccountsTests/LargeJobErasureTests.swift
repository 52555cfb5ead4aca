import Accounts
import Composition
import Bootstrap
import Domains
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@Suite("Erasing a user who has large jobs")
struct LargeJobErasureTests {
    @Test("Jobs of many rows are cancelled and deleted a few at a time, because the rows of each go at once")
    func largeJobs() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let now = Timestamp.now()
            try await database.write { transaction in
                for _ in 0..<8 {
                    let job = UUIDv7.next()
                    try transaction.jobs.insert(
                        JobInsertion(
                            id: job, userID: "u", kind: "diagnostics.steps", version: 1, payload: "{}", priority: 0,
                            maximumAttempts: 1, createdAt: now, runAt: now, uniqueKey: nil, fingerprint: nil,
                            claim: nil))
                    for step in 0..<1_000 {
                        try transaction.jobs.insertDiagnosticStep(step, of: JobRun(jobID: job, run: 1), now: now)
                    }
                }
            }
            // The step is large enough for all eight jobs, if each were only its own row.
            let writes = SteppedWrites(database, checkpoints: true, size: StepSize(units: 64, maximum: 64))
            #expect(try await accounts.cancelJobs(ofUser: "u", by: writes) == 8)
            // 1,000 rows have 100 kB in 24 pages.
            #expect(writes.progress.steps >= 4)
            // No handler of ends is registered here, so the jobs keep their rows until they are deleted.
            let before = writes.progress.steps
            _ = try await PersonalTables(of: .all).eraseRows(of: "u", in: database, by: writes)
            #expect(writes.progress.steps >= before + 4)
            #expect(try await database.read { try $0.row("SELECT 1 FROM diagnostic_steps") == nil })
        }
    }
}
