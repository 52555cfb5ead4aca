import Storage
import TestSupport
import Testing

@Suite("Migrations of a database that release 9 made")
struct Release9MigrationTests {
    /// How many rows migrations write, by table: the rows of a search whose lookups were lost.
    private static let changedRows = ["change_sequence": 1, "concert_searches": 1, "concert_search_subjects": 2]

    @Test("The database gets the schema of a new file and is intact, and a second run does nothing")
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

    @Test("All rows are kept")
    func contents() async throws {
        let before = try TemporaryFolder()
        try Release9.write(toFileAt: before.file("test.sqlite"))
        let old = try RawSQLite(path: before.file("test.sqlite"))
        try await withMigratedRelease9 { _, folder in
            let migrated = try RawSQLite(path: folder.file("test.sqlite"))
            for table in try old.tables() where table != "schema_migrations" {
                let columns = try old.columns(of: table)
                let rows = try old.contents(of: table, columns: columns)
                let kept = try migrated.contents(of: table, columns: columns)
                #expect(kept.count == rows.count, "\(table)")
                #expect(Set(rows).subtracting(kept).count == Self.changedRows[table] ?? 0, "\(table)")
            }
            // The file has rows in these tables.
            #expect(try old.rows("SELECT COUNT(*), COUNT(DISTINCT state) FROM jobs") == [["16", "6"]])
            #expect(try old.rows("SELECT COUNT(*) FROM job_attempts") == [["8"]])
            #expect(try old.rows("SELECT COUNT(*) FROM concert_events") == [["12"]])
            #expect(try old.rows("SELECT COUNT(*) FROM secrets") == [["2"]])
            for table in ["schedules", "sessions", "authorizations"] {
                #expect(try old.rows("SELECT COUNT(*) FROM \(table)") == [["1"]], "\(table)")
            }
        }
    }

    @Test("Searches with lost lookups end with a change of their own; searches with running lookups wait")
    func lostLookups() async throws {
        let (lost, other) = ("01a202d1-03a0-7000-8000-000000000001", "01a202d1-03a1-7000-8000-000000000002")
        try await withMigratedRelease9 { database, folder in
            let file = try RawSQLite(path: folder.file("test.sqlite"))
            func subjects(_ search: String) throws -> [[String?]] {
                try file.rows(
                    """
                    SELECT status, warning_code, job_id FROM concert_search_subjects
                    WHERE search_id = '\(search)' ORDER BY rank
                    """)
            }
            let failed = ["failed", "upstreamError", nil]
            // One lookup's row is gone, another has ended.
            #expect(try subjects(lost) == [["complete", nil, nil], failed, failed])
            #expect(try subjects(other) == [[nil, nil, "01a202d1-03a1-7000-8000-0000000000bb"]])
            // The file's last change number is 68.
            let changed = try file.rows("SELECT id FROM concert_searches WHERE change > 68")
            #expect(changed == [[lost]])
            let last = try await database.read { try $0.lastChange() }
            let beyond = "SELECT COUNT(*) FROM concert_searches WHERE change > \(last)"
            #expect(try file.rows(beyond) == [["0"]])
            #expect(try await database.write { try $0.nextChange() } == last + 1)
        }
    }

    @Test("New columns and tables have their initial values")
    func defaults() async throws {
        try await withMigratedRelease9 { _, folder in
            let file = try RawSQLite(path: folder.file("test.sqlite"))
            let jobs = """
                SELECT DISTINCT deaths, ran_for, awaited_scopes, is_ephemeral, screen, crash_group, outage_at,
                    planned_at
                FROM jobs
                """
            #expect(try file.rows(jobs) == [["0", "0", nil, "0", nil, nil, nil, nil]])
            for table in ["job_checkpoints", "job_ends", "domain_schedules", "change_log"] {
                #expect(try file.rows("SELECT COUNT(*) FROM \(table)") == [["0"]], "\(table)")
            }
        }
    }
}
