import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("One gateway and one schema", .timeLimit(.minutes(5)))
struct GatewayLockTests {
    /// Makes the database look as if an earlier version, which had no lists, had migrated it last.
    private func removeLatestMigration(_ database: Database) async throws {
        try await database.write {
            try $0.forgetLatestMigrations(of: "curation")
        }
    }

    /// Starts a process that takes the lock, if it is free, and prints "gateway" then.
    private func holdLock(of database: Database) throws -> ChildProcess {
        try ChildProcess(Executable.product("storage-probe"), ["gateway", database.path], hasInput: true)
    }

    @Test("A second gateway is refused with the process of the first one until that has ended")
    func secondGateway() async throws {
        try await withDatabase { database, _ in
            let first = try holdLock(of: database)
            try await first.waitForOutput("gateway")
            let refusal = GatewayRunning(databasePath: database.path, holder: first.processID)
            await #expect(throws: refusal) { try await database.lockForGateway(timeout: .zero) }
            #expect(refusal.description.contains("process \(first.processID)"))
            await first.destroy()
            try await database.lockForGateway(timeout: .zero)
            // The lock is taken once for the process.
            try await database.lockForGateway(timeout: .zero)
            let third = try holdLock(of: database)
            #expect(try await third.waitForEnd() == .exited(75))
            #expect(third.output.lines.isEmpty)
        }
    }

    @Test("A closed database frees the lock")
    func closedDatabase() async throws {
        let folder = try TemporaryFolder()
        let first = try Database.open(path: folder.file("test.sqlite"), schema: .all)
        try await first.lockForGateway(timeout: .zero)
        let second = try Database.open(path: folder.file("test.sqlite"), schema: .all)
        defer { second.close() }
        await #expect(throws: GatewayRunning.self) { try await second.lockForGateway(timeout: .zero) }
        first.close()
        try await second.lockForGateway(timeout: .zero)
    }

    @Test("A link to the database, even one that does not exist yet, leads to the same locks")
    func linkedDatabase() async throws {
        let folder = try TemporaryFolder()
        let (path, link) = (folder.file("data/test.sqlite"), folder.file("link.sqlite"))
        try FileManager.default.createDirectory(atPath: folder.file("data"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "data/test.sqlite")
        let first = try Database.open(path: link, schema: .all)
        defer { first.close() }
        try await first.lockForGateway(timeout: .zero)
        #expect(DatabasePath.resolved(link) == DatabasePath.resolved(path))
        let second = try Database.open(path: path, schema: .all)
        defer { second.close() }
        await #expect(throws: GatewayRunning.self) { try await second.lockForGateway(timeout: .zero) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["data", "link.sqlite"])
    }

    @Test(
        "Files that root makes beside another account's database belong to that account", .enabled(if: geteuid() == 0))
    func ownersOfFiles() async throws {
        let folder = try TemporaryFolder()
        let (data, account) = (folder.file("data"), uid_t(54_321))
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        #expect(chown(data, account, account) == 0)
        let database = try Database.open(path: data + "/test.sqlite", schema: .all)
        defer { database.close() }
        try await database.lockForGateway(timeout: .zero)
        try await database.migrate()
        let names = try FileManager.default.contentsOfDirectory(atPath: data)
        #expect(names.count >= 5)
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(data)/\(name)")
            #expect((attributes[.ownerAccountID] as? NSNumber)?.uint32Value == account, "\(name)")
        }
        // An existing file does not change.
        let kept = data + "/kept"
        #expect(FileManager.default.createFile(atPath: kept, contents: nil))
        close(DatabasePath.open(kept, ownedAs: [data]))
        let attributes = try FileManager.default.attributesOfItem(atPath: kept)
        #expect((attributes[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid())
    }

    @Test("A command migrates only while no gateway runs, and needs no lock if nothing has to be migrated")
    func migrationByACommand() async throws {
        try await withDatabase { database, _ in
            let gateway = try holdLock(of: database)
            try await gateway.waitForOutput("gateway")
            #expect(try await database.migrateForCommand() == [])
            try await removeLatestMigration(database)
            await #expect(throws: GatewayRunning(databasePath: database.path, holder: gateway.processID)) {
                _ = try await database.migrateForCommand()
            }
            #expect(try await database.schemaVersion() == Schema.all.version - 1)
        }
    }

    @Test("Once a later version has migrated the database, nothing is written with the earlier schema")
    func newerSchema() async throws {
        try await withDatabase { database, _ in
            let later = try Database.open(path: database.path, schema: .all)
            defer { later.close() }
            let newer = Schema.all.version + 1
            try await later.write {
                try $0.run(
                    "INSERT INTO schema_migrations (domain, number, name, applied_at) VALUES ('later', 1, 'new', 0)")
            }
            let refusal = StorageError.schemaTooNew(found: newer, known: Schema.all.version)
            await #expect(throws: refusal) { try await database.write { try $0.nextChange() } }
            await #expect(throws: refusal) { try await database.write(isPlain: true) { try $0.nextChange() } }
            await #expect(throws: refusal) { _ = try await database.writeAlone { try $0.nextChange() } }
            await #expect(throws: refusal) { try await database.watchSchema(every: .zero) }
            #expect(try await database.read { try $0.lastChange() } == 0)
        }
    }

    @Test("The watch of the schema ends with its task")
    func cancelledWatch() async throws {
        try await withDatabase { database, _ in
            _ = await #expect(throws: CancellationError.self) {
                try await withCancelledTask { try await database.watchSchema() }
            }
        }
    }
}
