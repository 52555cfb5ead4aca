import TestSupport
import Testing

@testable import Storage

@Suite("Migrations")
struct MigrationTests {
    private func openNew() throws -> (Database, TemporaryFolder) {
        let folder = try TemporaryFolder()
        return (try Database.open(path: folder.file("test.sqlite"), schema: .all), folder)
    }

    @Test("Migrations are numbered from 1 without gaps within their domains, and have unique names there")
    func numbersOfMigrations() {
        for (domain, migrations) in Dictionary(grouping: Schema.all.migrations, by: \.domain) {
            #expect(migrations.map(\.number) == Array(1...migrations.count), "\(domain)")
            #expect(Set(migrations.map(\.name)).count == migrations.count, "\(domain)")
        }
    }

    @Test("A new file gets the latest schema, and a second run does nothing")
    func newFile() async throws {
        let (database, folder) = try openNew()
        defer { database.close() }
        _ = folder
        #expect(try await database.schemaVersion() == 0)
        #expect(try await database.migrate() == Schema.all.migrations.map(\.description))
        #expect(try await database.schemaVersion() == Schema.all.version)
        #expect(try await database.migrate() == [])
    }

    @Test("Two processes and two connections may migrate at once", .timeLimit(.minutes(5)))
    func migratesAtOnce() async throws {
        let (database, folder) = try openNew()
        defer { database.close() }
        let other = try Database.open(path: folder.file("test.sqlite"), schema: .all)
        defer { other.close() }
        let probes = try (0..<2).map { _ in
            try ChildProcess(Executable.product("storage-probe"), ["migrate", folder.file("test.sqlite")])
        }
        async let first = database.migrate()
        async let second = other.migrate()
        var made = try await first + second
        for probe in probes {
            #expect(try await probe.waitForEnd() == .exited(0))
            made += probe.output.lines
        }
        #expect(made.sorted() == Schema.all.migrations.map(\.description).sorted())
        #expect(try await database.schemaVersion() == Schema.all.version)
    }

    @Test("A schema from a later version is refused and left unchanged")
    func refusesNewer() async throws {
        try await withDatabase { database, _ in
            let newer = Schema.all.version + 1
            try await database.write {
                try $0.run(
                    "INSERT INTO schema_migrations (domain, number, name, applied_at) VALUES ('later', 1, 'new', 0)")
            }
            let refusal = StorageError.schemaTooNew(found: newer, known: Schema.all.version)
            await #expect(throws: refusal) { try await database.migrate() }
            await #expect(throws: refusal) { try await database.waitForSchema { _ in } }
            #expect(try await database.schemaVersion() == newer)
        }
    }

    @Test("A database of an unreleased version is refused with what to do, and left unchanged")
    func refusesUnreleased() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.sqlite")
        try RawSQLite(path: path).run(
            """
            CREATE TABLE schema_migrations (
                number BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL);
            INSERT INTO schema_migrations (number, name, applied_at) VALUES (1, 'jobs', 0), (51, 'planned runs', 0);
            CREATE TABLE users (id TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;
            """)
        let database = try Database.open(path: path, schema: .all)
        defer { database.close() }
        let refusal = StorageError.schemaUnreleased
        await #expect(throws: refusal) { try await database.migrate() }
        await #expect(throws: refusal) { try await database.migrateForCommand() }
        await #expect(throws: refusal) { try await database.waitForSchema { _ in } }
        await #expect(throws: refusal) { try await database.schemaVersion() }
        #expect(refusal.description.contains("unreleased version") && refusal.description.contains("Export"))
        let file = try RawSQLite(path: path)
        #expect(try file.tables() == ["schema_migrations", "users"])
        #expect(try file.rows("SELECT COUNT(*) FROM schema_migrations") == [["2"]])
    }

    @Test("A database with another migration than this version's is refused")
    func refusesOther() async throws {
        try await withDatabase { database, _ in
            try await database.write {
                try $0.run("UPDATE schema_migrations SET name = 'other' WHERE domain = 'library'")
            }
            let refusal = StorageError.schemaInconsistent(has: "library 1 (other)", lacks: "library 1 (baseline)")
            await #expect(throws: refusal) { try await database.migrate() }
            await #expect(throws: refusal) { try await database.waitForSchema { _ in } }
        }
    }

    @Test("An older schema gets what it lacks, and its rows stay")
    func olderSchema() async throws {
        let (database, folder) = try openNew()
        defer { database.close() }
        let count = try #require(Schema.all.migrations.lastIndex { $0.domain == "accounts" }) + 1
        try await database.migrate(first: count)
        #expect(try await database.schemaVersion() == count)
        try await database.write { try $0.insertPerson(id: "u1", name: "ada") }
        #expect(try await database.migrate() == Schema.all.migrations.dropFirst(count).map(\.description))
        let file = try RawSQLite(path: folder.file("test.sqlite"))
        #expect(try file.rows("SELECT id, name FROM users") == [["u1", "ada"]])
        try await withDatabase { _, folder in
            let new = try RawSQLite(path: folder.file("test.sqlite"))
            let everything = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
            #expect(try file.rows(everything) == new.rows(everything))
        }
    }

    @Test("A migration may change the tables and rows that an earlier one of its domain made, and is applied once")
    func secondStep() async throws {
        let (database, folder) = try openNew()
        defer { database.close() }
        let first = Migration(
            domain: "notes", number: 1, name: "baseline",
            statements: ["CREATE TABLE notes (id TEXT NOT NULL PRIMARY KEY, words TEXT NOT NULL)"])
        let second = Migration(
            domain: "notes", number: 2, name: "stars",
            statements: [
                "ALTER TABLE notes ADD COLUMN stars BIGINT NOT NULL DEFAULT 0",
                "UPDATE notes SET stars = 5 WHERE words = 'good'",
            ])
        try await database.write { transaction in
            try transaction.run(Migration.recordTable)
            #expect(try transaction.apply(first))
            try transaction.run("INSERT INTO notes (id, words) VALUES ('1', 'good'), ('2', 'bad')")
        }
        for isFirstTime in [true, false] {
            #expect(try await database.write { try $0.apply(second) } == isFirstTime)
        }
        let file = try RawSQLite(path: folder.file("test.sqlite"))
        let notes = "SELECT id, words, stars FROM notes ORDER BY id"
        #expect(try file.rows(notes) == [["1", "good", "5"], ["2", "bad", "0"]])
        let recorded = "SELECT domain, number, name FROM schema_migrations ORDER BY domain, number"
        #expect(try file.rows(recorded) == [["notes", "1", "baseline"], ["notes", "2", "stars"]])
    }

    @Test("A worker waits for an older schema to be migrated, and reports it once")
    func workerWaits() async throws {
        let (database, folder) = try openNew()
        defer { database.close() }
        let other = try Database.open(path: folder.file("test.sqlite"), schema: .all)
        defer { other.close() }
        let waits = Collector<Int>()
        async let ready: Void = database.waitForSchema { waits.append($0) }
        #expect(await waits.wait(for: 1) == [0])
        try await other.migrate()
        try await ready
        #expect(waits.elements == [0])
    }

    @Test("A failed migration leaves nothing behind and runs again the next time")
    func failedStep() async throws {
        let (database, folder) = try openNew()
        defer { database.close() }
        _ = folder
        // This table makes the last CREATE TABLE of the first migration fail.
        try await database.write { try $0.run("CREATE TABLE database_restores (x BIGINT)") }
        await #expect(throws: StorageError.self) { try await database.migrate() }
        #expect(try await database.schemaVersion() == 0)
        #expect(try await database.read { try $0.row(Dialect.tableExists("change_sequence")) } == nil)
        try await database.write { try $0.run("DROP TABLE database_restores") }
        #expect(try await database.migrate() == Schema.all.migrations.map(\.description))
    }
}
