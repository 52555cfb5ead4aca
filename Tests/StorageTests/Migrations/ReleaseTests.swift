import TestSupport
import Testing

@testable import Storage

/// What every version promises: it migrates the databases of all releases.
@Suite("Databases of releases")
struct ReleaseTests {
    /// The tables that later versions do not have, and the one that a migration changes.
    private static let droppedTables: Set<String> = ["schema_migrations", "blend_requests"]
    /// The columns that later versions do not have. Who may see a profile is in `people` now.
    private static let droppedColumns: [String: Set<String>] = [
        "users": ["profile_visibility", "show_listening_stats", "push_token"]
    ]

    /// Runs `body` with the migrated database of a release.
    private func withMigrated(
        _ release: Release, _ body: (_ database: Database, _ folder: TemporaryFolder) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try release.write(toFileAt: folder.file("test.sqlite"))
        let database = try Database.open(path: folder.file("test.sqlite"), schema: .all)
        defer { database.close() }
        let missing = try await database.read { try $0.missingMigrations(of: .all) }
        #expect(try await database.migrate() == missing.map(\.description))
        try await body(database, folder)
    }

    @Test(
        "The database gets the schema of a new file and is intact, and a second run does nothing",
        arguments: Release.allCases)
    func schemaOfARelease(release: Release) async throws {
        try await withMigrated(release) { database, folder in
            #expect(try await database.schemaVersion() == Schema.all.version)
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
    func rowsOfARelease(release: Release) async throws {
        let before = try TemporaryFolder()
        try release.write(toFileAt: before.file("test.sqlite"))
        let old = try RawSQLite(path: before.file("test.sqlite"))
        try await withMigrated(release) { database, folder in
            let migrated = try RawSQLite(path: folder.file("test.sqlite"))
            for table in try old.tables() where !Self.droppedTables.contains(table) {
                let kept = try migrated.columns(of: table)
                let columns = try old.columns(of: table).filter(kept.contains)
                let dropped = Set(try old.columns(of: table)).subtracting(kept)
                #expect(dropped == Self.droppedColumns[table] ?? [], "\(table)")
                let rows = try old.contents(of: table, columns: columns)
                #expect(!rows.isEmpty, "\(table)")
                #expect(try migrated.contents(of: table, columns: columns) == rows, "\(table)")
            }
            let last = try await database.read { try $0.lastChange() }
            #expect(last > 0)
            #expect(try await database.write { try $0.nextChange() } == last + 1)
        }
    }

    @Test("Each person keeps who may see their profile and their stats, and when they were last seen")
    func visibility() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.sqlite")
        try Release.first.write(toFileAt: path)
        try RawSQLite(path: path).run(
            """
            UPDATE users SET profile_visibility = 'private', show_listening_stats = 0 WHERE name = 'ada';
            UPDATE users SET profile_visibility = 'followers' WHERE name = 'Böb';
            INSERT INTO users (id, name, name_key, profile_visibility, created_at)
            VALUES ('eve', 'eve', 'eve', 'of a later version', 1796000002000000);
            """)
        let database = try Database.open(path: path, schema: .all)
        defer { database.close() }
        try await database.migrate()
        let people = try await database.read { reader in
            try reader.rows(
                """
                SELECT users.name, people.key, people.state, people.visibility, people.shows_stats, users.last_seen_at
                FROM users JOIN people ON people.user_id = users.id ORDER BY people.key
                """
            ).map { row in
                let name: String = try row["name"]
                let numbers = try ["key", "state", "visibility", "shows_stats"].map { try row[$0] as Int64 }
                let seen: Int64? = try row["last_seen_at"]
                return "\(name) \(numbers) \(seen ?? 0)"
            }
        }
        #expect(people == ["ada [1, 0, 0, 0] 1796003500000000", "Böb [2, 0, 1, 1] 0", "eve [3, 0, 0, 1] 0"])
        let last = try await database.read { try $0.row("SELECT value FROM person_keys")?["value"] as Int64? }
        #expect(last == 3)
    }
}
