import Foundation
import Storage
import TestSupport
import Testing

@Suite("The database file")
struct DatabaseFileTests {
    @Test("Commits are synchronous and no connection checkpoints by itself")
    func settingsOfConnections() async throws {
        try await withDatabase { database, _ in
            let writer = try await database.write { transaction in
                try ["synchronous", "wal_autocheckpoint", "foreign_keys"].map { name in
                    try #require(try transaction.row(.onlySQLite(SQL(stringLiteral: "PRAGMA \(name)")))?[name] as Int?)
                }
            }
            #expect(writer == [2, 0, 1])
            let reader = try await database.read {
                try $0.row(.onlySQLite("PRAGMA wal_autocheckpoint"))?["wal_autocheckpoint"] as Int?
            }
            #expect(reader == 0)
            let mode = try await database.read {
                try $0.row(.onlySQLite("PRAGMA journal_mode"))?["journal_mode"] as String?
            }
            #expect(mode == "wal")
        }
    }

    @Test("Only its owner can read the file, and a missing folder is created")
    func permissionsOfFiles() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("new/deep/test.sqlite")
        let database = try Database.open(path: path, schema: .all)
        defer { database.close() }
        #expect(try FileMode.of(path) == 0o600)
    }

    @Test("Closing the last connection leaves the write-ahead log, and the next opening reads it")
    func closingDoesNotCheckpoint() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.sqlite")
        let first = try Database.open(path: path, schema: .all)
        try await first.migrate()
        let change = try await first.write { try $0.nextChange() }
        let size = first.logSize
        #expect(size > 0)
        first.close()
        #expect(first.logSize == size)
        let second = try Database.open(path: path, schema: .all)
        defer { second.close() }
        #expect(try await second.read { try $0.lastChange() } == change)
        #expect(second.logSize >= size)
    }

    @Test("A truncating checkpoint empties the log; a passive one does not shorten it")
    func truncatingCheckpoint() async throws {
        try await withDatabase { database, _ in
            let size = database.logSize
            #expect(size > 0)
            try await database.checkpoint()
            #expect(database.logSize == size)
            try await database.checkpoint(truncates: true)
            #expect(database.logSize == 0)
            #expect(try await database.write { try $0.nextChange() } == 1)
            let timeout: Int = try await database.write {
                try #require(try $0.row(.onlySQLite("PRAGMA busy_timeout")))["timeout"]
            }
            #expect(timeout == 5_000)
        }
    }

    @Test("A checkpoint does not wait for a reader while writers wait for it")
    func checkpointBesideReader() async throws {
        try await withDatabase { database, _ in
            _ = try await database.write { try $0.nextChange() }
            let (reading, gate) = (Collector<Void>(), Gate())
            let reader = Task {
                try await database.read { snapshot in
                    let before = try snapshot.lastChange()
                    reading.append(())
                    // This does not run on the cooperative pool: reads have threads of their own.
                    gate.wait()
                    return (before, try snapshot.lastChange())
                }
            }
            await reading.wait(for: 1)
            _ = try await database.write { try $0.nextChange() }
            try await database.checkpoint(truncates: true)
            #expect(database.logSize > 0)
            #expect(try await database.write { try $0.nextChange() } == 3)
            gate.open()
            let seen = try await reader.value
            #expect(seen == (1, 1))
        }
    }

    @Test("A file that is not a database is refused with its path")
    func notADatabase() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.sqlite")
        try Data(repeating: 0x41, count: 8_192).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: StorageError.self) { try Database.open(path: path, schema: .all) }
        guard case .corrupt(let reason) = error else {
            Issue.record("found \(String(describing: error))")
            return
        }
        #expect(reason.contains(path) && reason.contains("not a database"))
    }

    @Test(
        "Every error has a sentence",
        arguments: [
            StorageError.busy(holder: 4_711), .busy(holder: nil), .diskFull, .readOnly, .tooManyFiles, .outOfMemory,
            .corrupt("page 7"),
            .constraint("UNIQUE"), .schemaTooNew(found: 9, known: 3), .schemaTooOld(found: 1, wanted: 3),
            .schemaUnreleased, .schemaInconsistent(has: "notes 2 (x)", lacks: "notes 1 (y)"), .closed,
            .failed(code: 10, message: "disk I/O error"), .cannotOpen(path: "/x", reason: "y"), .transactionLost,
            .column(name: "id", found: "null", wanted: "String"),
        ])
    func sentencesOfErrors(error: StorageError) {
        #expect(error.description.count > 20)
        if case .busy(let holder?) = error { #expect(error.description.contains("\(holder)")) }
    }
}
