import JobStorage
import Storage
import TestSupport
import Testing

@Suite("The migration to quotas")
struct QuotaMigrationTests {
    @Test("Unfinished jobs are counted, and priorities of people's jobs are lowered, but not those of Backline's own")
    func counting() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.sqlite")
        try Release9.write(toFileAt: path)
        try RawSQLite(path: path).run("UPDATE jobs SET priority = 50 WHERE kind LIKE 'diagnostics.%'")
        let database = try Database.open(path: path)
        defer { database.close() }
        try await database.migrate()
        let file = try RawSQLite(path: path)
        let priorities = try file.rows(
            """
            SELECT DISTINCT kind, finished_at IS NULL OR state = 'failed', priority FROM jobs
            WHERE kind IN ('diagnostics.echo', 'concerts.lookup', 'setup.verifyGemini') ORDER BY 1, 2, 3
            """)
        #expect(
            priorities == [
                ["concerts.lookup", "0", "10"], ["concerts.lookup", "1", "10"], ["diagnostics.echo", "0", "50"],
                ["diagnostics.echo", "1", "9"], ["setup.verifyGemini", "0", "10"],
            ])
        let people = try await database.read { try $0.jobs.submitters() }
        #expect(people.count == 2 && !people.contains("system"))
        let uses = try await database.read { reader in try people.map { try reader.jobs.submissionUse(ofUser: $0) } }
        #expect(Set(uses.map(\.jobs)) == [2, 3])
        #expect(uses.allSatisfy { $0.bytes > 0 })
        for person in people {
            #expect(try await database.read { try $0.jobs.submissionCountError(ofUser: person) } == .zero)
        }
        // A dead letter counts when it is requeued.
        #expect(
            try file.rows("SELECT submitted_bytes = length(payload) FROM jobs WHERE state = 'failed'") == [["1"]])
        #expect(try file.rows("SELECT COUNT(*) FROM jobs WHERE user_id = 'system' AND submitted_bytes > 0") == [["0"]])
        // Of three searches, two wait for lookups, one of which was lost long ago.
        #expect(
            try file.rows("SELECT id FROM concert_searches WHERE is_running = 1")
                == [["01a202d1-03a1-7000-8000-000000000002"]])
    }
}
