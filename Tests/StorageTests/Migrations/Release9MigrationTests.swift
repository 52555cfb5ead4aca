import Storage
import TestSupport
import Testing

@Suite("Migrations of a database that release 9 made")
struct Release9MigrationTests {
    @Test("It reaches the schema of a new file, sound, and a second time does nothing")
    func schema() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.sqlite")
        try Release9.write(toFileAt: path)
        let database = try Database.open(path: path)
        defer { database.close() }
        #expect(try await database.schemaVersion() == 9)
        #expect(try await database.migrate() == Migration.all.filter { $0.number > 9 }.map(\.name))
        #expect(try await database.migrate() == [])
        let file = try RawSQLite(path: path)
        #expect(try file.rows("PRAGMA integrity_check") == [["ok"]])
        #expect(try file.rows("PRAGMA foreign_key_check").isEmpty)
        try await withDatabase { _, folder in
            let new = try RawSQLite(path: folder.file("test.sqlite"))
            let everything = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
            #expect(try file.rows(everything) == new.rows(everything))
        }
    }

    @Test("Everything that was in it is still there")
    func contents() async throws {
        let before = try TemporaryFolder()
        try Release9.write(toFileAt: before.file("test.sqlite"))
        let old = try RawSQLite(path: before.file("test.sqlite"))
        try await withMigratedRelease9 { _, folder in
            let migrated = try RawSQLite(path: folder.file("test.sqlite"))
            for table in try old.tables() where table != "schema_migrations" {
                let columns = try old.columns(of: table)
                let rows = try old.contents(of: table, columns: columns)
                #expect(try migrated.contents(of: table, columns: columns) == rows, "\(table)")
            }
            // The fixture is not by chance an empty one.
            #expect(try old.rows("SELECT COUNT(*), COUNT(DISTINCT state) FROM jobs") == [["15", "6"]])
            #expect(try old.rows("SELECT COUNT(*) FROM job_attempts") == [["8"]])
            #expect(try old.rows("SELECT COUNT(*) FROM concert_events") == [["12"]])
            #expect(try old.rows("SELECT COUNT(*) FROM secrets") == [["2"]])
        }
    }

    @Test("What is new says that nothing of it has happened yet")
    func defaults() async throws {
        try await withMigratedRelease9 { _, folder in
            let file = try RawSQLite(path: folder.file("test.sqlite"))
            let jobs = """
                SELECT DISTINCT deaths, ran_for, awaited_scopes, is_ephemeral, screen, crash_group, outage_at FROM jobs
                """
            #expect(try file.rows(jobs) == [["0", "0", nil, "0", nil, nil, nil]])
            for table in ["job_checkpoints", "job_ends", "domain_schedules", "change_log"] {
                #expect(try file.rows("SELECT COUNT(*) FROM \(table)") == [["0"]], "\(table)")
            }
        }
    }
}
