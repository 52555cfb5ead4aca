import Model
import TestSupport
import Testing

@testable import Storage

@Suite("The migration to the clock guard")
struct ClockGuardMigrationTests {
    /// The result of the migration of a database with `rows`.
    private func newestMoment(after rows: [SQL]) async throws -> Timestamp? {
        // The clock of the start that wrote the earlier migrations may have been wrong.
        try await withDatabase(before: .clockGuard, migratedAt: noon + .seconds(86_400 * 999)) { database, _ in
            try await database.write { transaction in
                for row in rows { try transaction.run(row) }
            }
            #expect(try await database.migrate().first == "clock guard")
            return try await database.read { try $0.newestMoment() }
        }
    }

    @Test("The newest moment of the rows is stored; none for an empty database")
    func newest() async throws {
        #expect(try await newestMoment(after: []) == nil)
        let user: SQL = """
            INSERT INTO users (id, name, name_key, is_admin, created_at) VALUES ('a', 'ada', 'ada', 0, \(noon))
            """
        #expect(try await newestMoment(after: [user]) == noon)
        let job: SQL = """
            INSERT INTO jobs (id, user_id, kind, version, payload, state, priority, run, attempt, maximum_attempts,
                created_at, run_at, finished_at, change)
            VALUES ('1', 'a', 'k', 1, '{}', 'succeeded', 0, 0, 0, 5, \(noon + .seconds(5)), \(noon),
                \(noon + .seconds(9)), 1)
            """
        #expect(try await newestMoment(after: [user, job]) == noon + .seconds(9))
    }
}
