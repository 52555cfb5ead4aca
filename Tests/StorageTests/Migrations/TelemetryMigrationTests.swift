import JobStorage
import Model
import TestSupport
import Testing

@testable import Storage

@Suite("The migration to telemetry")
struct TelemetryMigrationTests {
    @Test("Earlier jobs are counted by kind and have no trace")
    func countsWhatIsThere() async throws {
        try await withDatabase(before: .telemetry) { database, _ in
            try await database.write { transaction in
                for (id, kind, state) in [("1", "a", "queued"), ("2", "a", "queued"), ("3", "b", "failed")] {
                    try transaction.run(
                        """
                        INSERT INTO jobs (id, user_id, kind, version, payload, state, priority, run, attempt,
                            maximum_attempts, created_at, run_at, change)
                        VALUES (\(id), 'u', \(kind), 1, '{}', \(state), 0, 0, 0, 5, 1, 1, 1)
                        """)
                }
            }
            #expect(try await database.migrate().first == "telemetry")
            #expect(
                try await database.read { try $0.jobs.jobCountsByKind() } == ["a": [.queued: 2], "b": [.failed: 1]])
            let claimed = try await database.write { transaction in
                try transaction.jobs.claim(
                    jobID: "1", lastRun: 0, worker: "w/1", leaseExpiresAt: MonotonicInstant(microseconds: 9), now: noon)
            }
            #expect(claimed?.kind == "a" && claimed?.trace == nil)
        }
    }
}
