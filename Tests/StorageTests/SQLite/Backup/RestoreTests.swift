import Foundation
import Model
import TestSupport
import Testing

@testable import Storage

@Suite("Restoring backups")
struct RestoreTests {
    /// A folder with a database of three users and a backup of two, which no process has open.
    private func withBackup(
        _ body: (_ path: String, _ backup: String, _ folder: TemporaryFolder) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let (path, backup) = (folder.file("data.sqlite"), folder.file("backup"))
        let database = try Database.open(path: path, schema: .all)
        try await database.migrate()
        try await addUsers(2, to: database)
        _ = try await DatabaseBackup.write(path, to: backup, replaces: false, schema: .all)
        try await addUsers(1, to: database, from: 2)
        database.close()
        try await body(path, backup, folder)
    }

    private func names(in path: String) async throws -> [String] {
        let database = try ReadOnlyDatabase.open(path: path)
        defer { database.close() }
        return try await database.read { try $0.rows("SELECT name FROM users ORDER BY name").map { try $0["name"] } }
    }

    @Test("The backup replaces the database, which is kept beside it with the contents of its log")
    func replacedDatabase() async throws {
        try await withBackup { path, backup, folder in
            // The last write is only in the log.
            #expect(FileManager.default.fileExists(atPath: path + "-wal"))
            let outcome = try await DatabaseRestore.put(
                backup, inPlaceOf: path, schema: .all, marks: [], now: Timestamp(microseconds: 1_700_000_000_000_000))
            #expect(outcome.replaced == path + ".replaced-2023-11-14T22-13-20")
            for suffix in ["-wal", "-shm"] { #expect(!FileManager.default.fileExists(atPath: path + suffix)) }
            #expect(try await names(in: path) == ["user-0", "user-1"])
            #expect(try await names(in: #require(outcome.replaced)) == ["user-0", "user-1", "user-2"])
            #expect(try FileMode.of(path) == 0o600)
            #expect(try partials(in: folder).isEmpty)
            let database = try Database.open(path: path, schema: .all)
            defer { database.close() }
            try await addUsers(1, to: database, from: 9)
            #expect(try await database.read { try $0.damages(limit: 3) } == [])
        }
    }

    @Test("A second restore within a second keeps the first replaced database")
    func secondRestore() async throws {
        try await withBackup { path, backup, _ in
            let now = Timestamp.now()
            let first = try await DatabaseRestore.put(backup, inPlaceOf: path, schema: .all, marks: [], now: now)
            let second = try await DatabaseRestore.put(backup, inPlaceOf: path, schema: .all, marks: [], now: now)
            #expect(first.replaced != second.replaced)
            #expect(try await names(in: #require(first.replaced)).count == 3)
            #expect(try await names(in: #require(second.replaced)).count == 2)
        }
    }

    @Test("A missing database and its folder are created")
    func missingTarget() async throws {
        try await withBackup { _, backup, folder in
            let path = folder.file("new/data.sqlite")
            let outcome = try await DatabaseRestore.put(backup, inPlaceOf: path, schema: .all, marks: [])
            #expect(outcome.replaced == nil)
            #expect(try await names(in: path).count == 2)
            #expect(try FileMode.of(folder.file("new")) == 0o700)
        }
    }

    @Test("A log without a database is not applied to the new one")
    func orphanedLog() async throws {
        try await withBackup { path, backup, _ in
            try FileManager.default.removeItem(atPath: path)
            _ = try await DatabaseRestore.put(backup, inPlaceOf: path, schema: .all, marks: [])
            #expect(try await names(in: path).count == 2)
        }
    }

    @Test("A damaged database is replaced and kept with its log")
    func damagedDatabase() async throws {
        try await withBackup { path, backup, _ in
            for damaged in [path, path + "-wal"] {
                let file = try #require(FileHandle(forUpdatingAtPath: damaged))
                try file.write(contentsOf: Data(repeating: 0xAA, count: 100))
                try file.close()
            }
            let outcome = try await DatabaseRestore.put(backup, inPlaceOf: path, schema: .all, marks: [])
            #expect(try await names(in: path).count == 2)
            let replaced = try #require(outcome.replaced)
            #expect(FileManager.default.fileExists(atPath: replaced + "-wal"))
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        }
    }

    @Test("A file that is not an intact backup with a known schema is refused, and nothing changes")
    func refusedFiles() async throws {
        try await withBackup { path, backup, folder in
            let (text, foreign) = (folder.file("text"), folder.file("foreign"))
            try Data(repeating: 65, count: 4_096).write(to: URL(fileURLWithPath: text))
            let other = try Database.open(path: foreign, schema: .all)
            try await other.write { try $0.run("CREATE TABLE things (id TEXT PRIMARY KEY)") }
            other.close()
            let newer = folder.file("newer")
            try FileManager.default.copyItem(atPath: backup, toPath: newer)
            let future = try Database.open(path: newer, schema: .all)
            try await future.write {
                try $0.run(
                    "INSERT INTO schema_migrations (domain, number, name, applied_at) VALUES ('later', 1, 'new', 0)")
            }
            future.close()
            let (unreleased, mixed) = (folder.file("unreleased"), folder.file("mixed"))
            try RawSQLite(path: unreleased).run(
                """
                CREATE TABLE schema_migrations (
                    number BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL);
                INSERT INTO schema_migrations (number, name, applied_at) VALUES (1, 'jobs', 0);
                """)
            try FileManager.default.copyItem(atPath: backup, toPath: mixed)
            try RawSQLite(path: mixed).run("UPDATE schema_migrations SET name = 'other' WHERE domain = 'library'")
            let cases: [(String, BackupError)] = [
                (folder.file("none"), .missing(path: folder.file("none"))), (text, .notADatabase(path: text)),
                (foreign, .notBackline(path: foreign)),
                (newer, .schemaTooNew(path: newer, found: Schema.all.version + 1, known: Schema.all.version)),
                (unreleased, .schemaUnreleased(path: unreleased)), (mixed, .notBackline(path: mixed)),
            ]
            for (source, error) in cases {
                await #expect(throws: error) {
                    _ = try await DatabaseRestore.put(source, inPlaceOf: path, schema: .all, marks: [])
                }
            }
            #expect(try await names(in: path).count == 3)
            #expect(try partials(in: folder).isEmpty)
        }
    }

    @Test("A backup with damaged pages is refused, with or without a readable schema", arguments: [1, 20])
    func damagedBackup(first: Int) async throws {
        try await withBackup { path, backup, _ in
            let size = try #require(FileManager.default.attributesOfItem(atPath: backup)[.size] as? Int)
            let file = try #require(FileHandle(forUpdatingAtPath: backup))
            for page in stride(from: first * 4_096, to: size, by: 4_096) {
                try file.seek(toOffset: UInt64(page))
                try file.write(contentsOf: Data(repeating: 0xFF, count: 64))
            }
            try file.close()
            do {
                _ = try await DatabaseRestore.put(backup, inPlaceOf: path, schema: .all, marks: [])
                Issue.record("it was accepted")
            } catch BackupError.damaged(backup, _) {
                #expect(try await names(in: path).count == 3)
            }
        }
    }

    @Test("The restored database has a mark, another history, and numbers that were never assigned")
    func markOfARestore() async throws {
        try await withBackup { path, backup, _ in
            func marks() async throws -> (last: Timestamp?, history: DatabaseHistory?, change: Int64) {
                let database = try ReadOnlyDatabase.open(path: path)
                defer { database.close() }
                return try await database.read { reader in
                    let row = try reader.row("SELECT MAX(restored_at) AS last FROM database_restores")
                    let last = try row.flatMap { try $0["last"] as Timestamp? }
                    return (last, try reader.history(), try reader.lastChange())
                }
            }
            let before = try await marks()
            #expect(before.last == nil && before.history == nil)
            let times = [1_700_000_000_000_000, 1_700_000_000_000_001].map(Timestamp.init(microseconds:))
            var found: [(last: Timestamp?, history: DatabaseHistory?, change: Int64)] = []
            for time in times {
                _ = try await DatabaseRestore.put(backup, inPlaceOf: path, schema: .all, marks: [], now: time)
                found.append(try await marks())
            }
            #expect(found.map(\.last) == times)
            #expect(found[0].history != nil && found[1].history != nil && found[0].history != found[1].history)
            for mark in found { #expect(mark.change >= before.change + 1_000_000) }
        }
    }

    @Test("A backup of an older schema is migrated before it is marked")
    func olderBackup() async throws {
        let folder = try TemporaryFolder()
        let (path, old) = (folder.file("data.sqlite"), folder.file("old"))
        let earlier = try Database.open(path: folder.file("earlier.sqlite"), schema: .all)
        try await earlier.migrate(first: 5)
        _ = try await DatabaseBackup.write(earlier.path, to: old, replaces: false, schema: .all)
        earlier.close()
        let outcome = try await DatabaseRestore.put(old, inPlaceOf: path, schema: .all, marks: [])
        #expect(outcome.copy.schema == 5)
        let restored = try Database.open(path: path, schema: .all)
        defer { restored.close() }
        #expect(try await restored.schemaVersion() == Schema.all.version)
        #expect(try await restored.read { try $0.history() } != nil)
        #expect(try await restored.read { try $0.damages(limit: 3) } == [])
    }
}
