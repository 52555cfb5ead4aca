import TestSupport
import Testing

@testable import Storage

/// What every version promises: it migrates the databases of all releases.
@Suite("Databases of releases")
struct ReleaseTests {
    /// Runs `body` with the migrated database of a release.
    private func withMigrated(
        _ release: Release, _ body: (_ database: Database, _ folder: TemporaryFolder) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try release.write(toFileAt: folder.file("test.sqlite"))
        let database = try Database.open(path: folder.file("test.sqlite"))
        defer { database.close() }
        let missing = try await database.read { try $0.missingMigrations() }
        #expect(try await database.migrate() == missing.map(\.description))
        try await body(database, folder)
    }

    @Test(
        "The database gets the schema of a new file and is intact, and a second run does nothing",
        arguments: Release.allCases)
    func schema(release: Release) async throws {
        try await withMigrated(release) { database, folder in
            #expect(try await database.schemaVersion() == Migration.latest)
            #expect(try await database.migrate() == [])
            let file = try RawSQLite(path: folder.file("test.sqlite"))
            #expect(try file.rows("PRAGMA integrity_check") == [["ok"]])
            #expect(try file.rows("PRAGMA foreign_key_check").isEmpty)
            try await withDatabase { _, folder in
                let new = try RawSQLite(path: folder.file("test.sqlite"))
                let everything = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
                #expect(try file.rows(everything) == new.rows(everything))
            }
        }
    }

    @Test("All rows of all tables are kept, and the next change has the next number", arguments: Release.allCases)
    func contents(release: Release) async throws {
        let before = try TemporaryFolder()
        try release.write(toFileAt: before.file("test.sqlite"))
        let old = try RawSQLite(path: before.file("test.sqlite"))
        try await withMigrated(release) { database, folder in
            let migrated = try RawSQLite(path: folder.file("test.sqlite"))
            for table in try old.tables() where table != "schema_migrations" {
                let columns = try old.columns(of: table)
                let rows = try old.contents(of: table, columns: columns)
                #expect(!rows.isEmpty, "\(table)")
                #expect(try migrated.contents(of: table, columns: columns) == rows, "\(table)")
            }
            let last = try await database.read { try $0.lastChange() }
            #expect(last > 0)
            #expect(try await database.write { try $0.nextChange() } == last + 1)
        }
    }
}
