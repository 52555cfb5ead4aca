import TestSupport
import Testing

@testable import Storage

@Suite("Migrations")
struct MigrationTests {
    private func openNew() throws -> (Database, TemporaryFolder) {
        let folder = try TemporaryFolder()
        return (try Database.open(path: folder.file("test.sqlite")), folder)
    }

    @Test("Migrations are numbered from 1 without gaps and have unique names")
    func numbers() {
        #expect(Migration.all.map(\.number) == Array(1...Migration.latest))
        #expect(Set(Migration.all.map(\.name)).count == Migration.latest)
    }

    @Test("A new file gets the latest schema, and a second run does nothing")
    func migrates() async throws {
        let (database, folder) = try openNew()
        defer { database.close() }
        _ = folder
        #expect(try await database.schemaVersion() == 0)
        #expect(try await database.migrate() == Migration.all.map(\.name))
        #expect(try await database.schemaVersion() == Migration.latest)
        #expect(try await database.migrate() == [])
    }

    @Test("Two processes and two connections may migrate at once", .timeLimit(.minutes(5)))
    func migratesAtOnce() async throws {
        let (database, folder) = try openNew()
        defer { database.close() }
        let other = try Database.open(path: folder.file("test.sqlite"))
        defer { other.close() }
        let probes = try (0..<2).map { _ in
            try ChildProcess(Executable.product("storage-probe"), ["migrate", folder.file("test.sqlite")])
        }
        async let first = database.migrate()
        async let second = other.migrate()
        var made = try await first + second
        for probe in probes {
            #expect(await probe.waitForExit() == 0)
            made += probe.lines.elements
        }
        #expect(made.sorted() == Migration.all.map(\.name).sorted())
        #expect(try await database.schemaVersion() == Migration.latest)
    }

    @Test("A schema from a later version is refused and left unchanged")
    func refusesNewer() async throws {
        try await withDatabase { database, _ in
            let newer = Migration.latest + 1
            try await database.write {
                try $0.run("INSERT INTO schema_migrations (number, name, applied_at) VALUES (\(newer), 'later', 0)")
            }
            let refusal = StorageError.schemaTooNew(found: newer, known: Migration.latest)
            await #expect(throws: refusal) { try await database.migrate() }
            await #expect(throws: refusal) { try await database.waitForSchema { _ in } }
            #expect(try await database.schemaVersion() == newer)
        }
    }

    @Test("A worker waits for an older schema to be migrated, and reports it once")
    func workerWaits() async throws {
        let (database, folder) = try openNew()
        defer { database.close() }
        let other = try Database.open(path: folder.file("test.sqlite"))
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
        try await database.write { try $0.run("CREATE TABLE schedules (x BIGINT)") }
        await #expect(throws: StorageError.self) { try await database.migrate() }
        #expect(try await database.schemaVersion() == 0)
        #expect(try await database.read { try $0.row(Dialect.tableExists("jobs")) } == nil)
        try await database.write { try $0.run("DROP TABLE schedules") }
        #expect(try await database.migrate() == Migration.all.map(\.name))
    }
}
