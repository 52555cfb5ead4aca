import TestSupport
import Testing

@testable import Storage

@Suite("A batch of writes")
struct WriteBatchTests {
    private static func insert(_ id: Int) -> @Sendable (WriteTransaction) throws -> Int {
        { transaction in
            try transaction.run("INSERT INTO notes (id) VALUES (\(id))")
            return id
        }
    }

    private func notes(_ database: Database) async throws -> [Int] {
        try await database.read { try $0.rows("SELECT id FROM notes ORDER BY id").map { try $0["id"] } }
    }

    /// Makes SQLite roll the transaction back when the note 13 is inserted.
    private func refuseThirteen(_ database: Database) async throws {
        try await database.write {
            try $0.run(
                """
                CREATE TRIGGER no_thirteen BEFORE INSERT ON notes WHEN NEW.id = 13
                BEGIN SELECT RAISE(ROLLBACK, 'thirteen'); END
                """)
        }
    }

    @Test("A failing entry is rolled back alone; the others are committed")
    func failureIsAlone() async throws {
        try await withNotes { database in
            let before = database.writeStatistics.snapshot
            let results = await database.batch([
                (false, Self.insert(1)),
                (
                    false,
                    { transaction in
                        try transaction.run("INSERT INTO notes (id) VALUES (2)")
                        try transaction.run("INSERT INTO notes (id) VALUES (1)")
                        return 2
                    }
                ),
                (false, Self.insert(3)),
                (true, Self.insert(4)),
            ])
            #expect(try results[0].get() == 1)
            #expect(throws: StorageError.constraint("UNIQUE constraint failed: notes.id")) { try results[1].get() }
            #expect(try results[2].get() == 3)
            #expect(try results[3].get() == 4)
            let kept = try await notes(database)
            #expect(kept == [1, 3, 4])
            let after = database.writeStatistics.snapshot
            #expect(after.entries - before.entries == 4)
        }
    }

    @Test("A failing entry without a savepoint makes the entries run again one by one")
    func plainFailureRunsAgain() async throws {
        try await withNotes { database in
            let before = database.writeStatistics.snapshot
            let results = await database.batch(
                [(true, Self.insert(1)), (true, Self.insert(1)), (true, Self.insert(2))])
            #expect(try results[0].get() == 1)
            #expect(throws: StorageError.self) { try results[1].get() }
            #expect(try results[2].get() == 2)
            let kept = try await notes(database)
            #expect(kept == [1, 2])
            // The held entry, the first alone, and what came after the failure. If the machine pauses after the first,
            // that is committed with the held one.
            let batches = database.writeStatistics.snapshot.batches - before.batches
            #expect((2...3).contains(batches), "\(batches)")
        }
    }

    @Test("When SQLite rolls the transaction back, each entry runs again alone and is answered once")
    func lostTransaction() async throws {
        try await withNotes { database in
            try await refuseThirteen(database)
            let results = await database.batch(
                [(false, Self.insert(1)), (false, Self.insert(13)), (false, Self.insert(2)), (true, Self.insert(3))])
            #expect(try results[0].get() == 1)
            #expect(throws: StorageError.constraint("thirteen")) { try results[1].get() }
            #expect(try results[2].get() == 2)
            #expect(try results[3].get() == 3)
            let kept = try await notes(database)
            #expect(kept == [1, 2, 3])
        }
    }

    @Test("An entry that catches such an error does not succeed")
    func swallowedRollback() async throws {
        try await withNotes { database in
            try await refuseThirteen(database)
            let results = await database.batch([
                (true, Self.insert(1)),
                (
                    true,
                    { transaction in
                        try? transaction.run("INSERT INTO notes (id) VALUES (13)")
                        return 13
                    }
                ),
                (true, Self.insert(2)),
            ])
            #expect(try results[0].get() == 1)
            #expect(throws: (any Error).self) { try results[1].get() }
            #expect(try results[2].get() == 2)
            let kept = try await notes(database)
            #expect(kept == [1, 2])
        }
    }

    @Test("On a full disk, entries that fit are kept, the others fail, and later writes succeed")
    func fullDisk() async throws {
        try await withNotes { database in
            let pages = try await database.write { transaction -> Int in
                let count: Int = try #require(try transaction.row(.onlySQLite("PRAGMA page_count")))["page_count"]
                // The limit is this connection's, and this is the one connection that writes.
                _ = try transaction.rows(.onlySQLite(SQL(stringLiteral: "PRAGMA max_page_count = \(count + 2)")))
                return count
            }
            let large: @Sendable (WriteTransaction) throws -> Int = { transaction in
                try transaction.run(
                    "INSERT INTO notes (id, text) VALUES (100, \(String(repeating: "x", count: 100_000)))")
                return 100
            }
            let results = await database.batch(
                [(false, Self.insert(1)), (false, large), (true, large), (true, Self.insert(2))])
            #expect(try results[0].get() == 1)
            #expect(throws: StorageError.diskFull) { try results[1].get() }
            #expect(throws: StorageError.diskFull) { try results[2].get() }
            #expect(try results[3].get() == 2)
            let kept = try await notes(database)
            #expect(kept == [1, 2])
            try await database.write { transaction in
                _ = try transaction.rows(.onlySQLite(SQL(stringLiteral: "PRAGMA max_page_count = \(pages + 1_000)")))
            }
            #expect(try await database.write(large) == 100)
        }
    }

    @Test("A failed write blocks the database until a commit writes to the disk")
    func endOfBlockage() async throws {
        try await withNotes { database in
            try await database.write { transaction in
                let count: Int = try #require(try transaction.row(.onlySQLite("PRAGMA page_count")))["page_count"]
                _ = try transaction.rows(.onlySQLite(SQL(stringLiteral: "PRAGMA max_page_count = \(count)")))
            }
            await #expect(throws: StorageError.diskFull) {
                try await database.write {
                    try $0.run("INSERT INTO notes (id, text) VALUES (1, \(String(repeating: "x", count: 100_000)))")
                }
            }
            let deleteNothing: @Sendable (WriteTransaction) throws -> Int = {
                try $0.execute("DELETE FROM notes WHERE id = 2")
            }
            for isPlain in [true, false] {
                _ = await database.batch([(isPlain, deleteNothing)])
                #expect(database.blockage == .diskFull)
            }
            _ = try await database.writeAlone(deleteNothing)
            #expect(database.blockage == .diskFull)
            try await database.write { try $0.run("UPDATE change_sequence SET value = value") }
            #expect(database.blockage == .diskFull, "an unchanged row is not written")
            await database.probeWriting()
            #expect(database.blockage == nil)
        }
    }

    /// Counts the batches for which it is made.
    private final class BatchCount: BatchAttachment {
        func entrySucceeded() {}
        func entryRolledBack() {}
        func partBegan() {}
        func partEnded(isStored: Bool) {}
        func finishBatch(in transaction: WriteTransaction) throws {}
        func whenDurable() -> (@Sendable () -> Void)? { nil }
    }

    @Test("A batch ends after its time although all of its entries fail")
    func endOfFailingBatch() async throws {
        try await withDatabase(maximumBatchTime: .zero) { database, _ in
            struct RefusalError: Error {}
            let made = Collector<Void>()
            database.attach(BatchCount.self) {
                made.append(())
                return BatchCount()
            }
            let results = await database.batch(Array(repeating: (false, { _ in throw RefusalError() }), count: 10))
            for result in results { #expect(throws: RefusalError.self) { try result.get() } }
            // The entry that blocks the thread, and each of the others.
            #expect(made.elements.count == 11)
        }
    }
}
