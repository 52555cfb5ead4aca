import Foundation
import Model
import TestSupport
import Testing

@testable import Storage

@Suite("Backups")
struct BackupTests {
    @Test("A backup contains all committed rows, is private, and leaves no other file")
    func completeBackup() async throws {
        try await withDatabase { database, folder in
            try await addUsers(3, to: database)
            let target = folder.file("copy")
            let copy = try await DatabaseBackup.write(database.path, to: target, replaces: false, schema: .all)
            #expect(copy.users == 3 && copy.jobs == 0 && copy.schema == Schema.all.version)
            #expect(try FileMode.of(target) == 0o600)
            #expect(try partials(in: folder).isEmpty)
            let restored = try ReadOnlyDatabase.open(path: target)
            defer { restored.close() }
            let names = try await restored.read { reader in
                try reader.rows("SELECT name FROM users ORDER BY name").map { try $0["name"] as String }
            }
            #expect(names == ["user-0", "user-1", "user-2"])
        }
    }

    @Test("A backup is made while another process holds the write lock, and writes nothing to the database")
    func lockedOut() async throws {
        try await withDatabase { database, folder in
            let lock = try WriteLock(databasePath: database.path)
            let isTaken = lock.tryLock()
            #expect(isTaken)
            let log = try Data(contentsOf: URL(fileURLWithPath: database.path + "-wal"))
            _ = try await DatabaseBackup.write(database.path, to: folder.file("copy"), replaces: false, schema: .all)
            #expect(try Data(contentsOf: URL(fileURLWithPath: database.path + "-wal")) == log)
            lock.unlock()
        }
    }

    @Test("An existing file is replaced only on request")
    func existingFile() async throws {
        try await withDatabase { database, folder in
            let target = folder.file("copy")
            try Data("precious".utf8).write(to: URL(fileURLWithPath: target))
            await #expect(throws: BackupError.exists(path: target)) {
                _ = try await DatabaseBackup.write(database.path, to: target, replaces: false, schema: .all)
            }
            #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
            #expect(try await DatabaseBackup.write(database.path, to: target, replaces: true, schema: .all).users == 0)
            #expect(try FileMode.of(target) == 0o600)
        }
    }

    @Test("The database's own files are never replaced", arguments: ["", "-wal", "-shm", ".lock", ".gateway"])
    func databaseAsTarget(suffix: String) async throws {
        try await withDatabase { database, folder in
            try await database.lockForGateway(timeout: .zero)
            let alias = folder.file("alias")
            try FileManager.default.createSymbolicLink(
                atPath: alias, withDestinationPath: database.path + suffix)
            for target in [database.path + suffix, alias] {
                await #expect(throws: BackupError.isTheDatabase(path: target)) {
                    _ = try await DatabaseBackup.write(database.path, to: target, replaces: true, schema: .all)
                }
            }
        }
    }

    @Test("A failed backup leaves no file")
    func failedBackup() async throws {
        try await withDatabase { database, folder in
            await #expect(throws: BackupError.missing(path: folder.file("none"))) {
                _ = try await DatabaseBackup.write(
                    folder.file("none"), to: folder.file("copy"), replaces: false, schema: .all)
            }
            try Data(repeating: 7, count: 8_192).write(to: URL(fileURLWithPath: folder.file("noise")))
            await #expect(throws: (any Error).self) {
                _ = try await DatabaseBackup.write(
                    folder.file("noise"), to: folder.file("copy"), replaces: false, schema: .all)
            }
            #expect(!FileManager.default.fileExists(atPath: folder.file("copy")))
            #expect(try partials(in: folder).isEmpty)
        }
    }
}

func addUsers(_ count: Int, to database: Storage.Database, from first: Int = 0) async throws {
    for number in first..<first + count {
        try await database.write {
            try $0.insertPerson(id: UUIDv7.next(), name: "user-\(number)")
        }
    }
}

/// Files that a backup or a restore would leave if it did not clean up.
func partials(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".partial-") }
}
