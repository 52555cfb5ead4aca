import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("Compacting the database", .timeLimit(.minutes(5)))
struct CompactionTests {
    /// A closed database with free pages, whose last writes are only in the log.
    private func withClosedDatabase(
        _ body: (_ path: String, _ folder: TemporaryFolder) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("data.sqlite")
        let database = try Database.open(path: path, schema: .all)
        try await database.migrate()
        let words = String(repeating: "w", count: 3_000)
        try await database.write { transaction in
            try transaction.run("CREATE TABLE filler (number BIGINT NOT NULL PRIMARY KEY, words TEXT)")
            for number in 0..<1_000 {
                try transaction.run("INSERT INTO filler (number, words) VALUES (\(number), \(words))")
            }
        }
        try await database.truncateLogAfterReads()
        try await database.write { try $0.run("DELETE FROM filler WHERE number >= 10") }
        try await addUsers(3, to: database)
        database.close()
        try await body(path, folder)
    }

    private func contents(_ path: String) async throws -> (users: Int, filler: Int, damages: [String]) {
        let database = try ReadOnlyDatabase.open(path: path)
        defer { database.close() }
        return try await database.read { reader in
            (
                try reader.row("SELECT COUNT(*) AS count FROM users")?["count"] ?? 0,
                try reader.row("SELECT COUNT(*) AS count FROM filler")?["count"] ?? 0, try reader.damages(limit: 3)
            )
        }
    }

    @Test("The file has the same rows in less space, and nothing else changes")
    func smallerFile() async throws {
        try await withClosedDatabase { path, folder in
            let outcome = try await DatabaseCompaction.compact(path, schema: .all)
            #expect(outcome.before > 3_000_000 && outcome.after < outcome.before / 2)
            let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64)
            #expect(size == outcome.after)
            #expect(try FileMode.of(path) == 0o600)
            let found = try await contents(path)
            #expect(found.users == 3 && found.filler == 10 && found.damages.isEmpty)
            #expect(try partials(in: folder).isEmpty)
            let database = try Database.open(path: path, schema: .all)
            defer { database.close() }
            try await database.lockForGateway(timeout: .zero)
            try await addUsers(1, to: database, from: 9)
            #expect(try await database.schemaVersion() == Schema.all.version)
            #expect(try await database.read { try $0.history() } == nil)
        }
    }

    @Test("A database that a process uses is refused and left unchanged")
    func inUse() async throws {
        try await withClosedDatabase { path, folder in
            let process = try ChildProcess(Executable.product("storage-probe"), ["answer", path], hasInput: true)
            try await process.waitForOutput(lines: 1)
            await #expect(throws: BackupError.inUse(processes: [process.processID])) {
                _ = try await DatabaseCompaction.compact(path, schema: .all)
            }
            process.closeInput()
            try await process.waitForEnd()
            #expect(try await contents(path).users == 3)
            #expect(try partials(in: folder).isEmpty)
            _ = try await DatabaseCompaction.compact(path, schema: .all)
        }
    }

    @Test("A gateway that is about to open the database is also refused")
    func runningGateway() async throws {
        try await withClosedDatabase { path, _ in
            let gateway = try GatewayLock(databasePath: path)
            await #expect(throws: GatewayRunning.self) {
                _ = try await DatabaseCompaction.compact(path, schema: .all, gatewayTimeout: .zero)
            }
            withExtendedLifetime(gateway) {}
        }
    }

    @Test("A damaged database is refused and left unchanged")
    func damagedDatabase() async throws {
        try await withClosedDatabase { path, folder in
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            try file.seek(toOffset: 40 * 4_096)
            try file.write(contentsOf: Data(repeating: 0xFF, count: 200 * 4_096))
            try file.close()
            let before = try Data(contentsOf: URL(fileURLWithPath: path)).count
            await #expect(throws: (any Error).self) { _ = try await DatabaseCompaction.compact(path, schema: .all) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == before)
            #expect(try partials(in: folder).isEmpty)
        }
    }

    @Test("A missing database is named, and none is created")
    func missingDatabase() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("none.sqlite")
        await #expect(throws: BackupError.missing(path: path)) {
            _ = try await DatabaseCompaction.compact(path, schema: .all)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
