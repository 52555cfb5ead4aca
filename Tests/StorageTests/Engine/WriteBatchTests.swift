import TestSupport
import Testing

@testable import Storage

/// Entries that must share a transaction are enqueued while the writer's thread is blocked.
@Suite("A batch of writes")
struct WriteBatchTests {
    /// Runs the writes as one batch; returns the result of each, in order.
    private func batch(
        on database: Database, _ writes: [(isPlain: Bool, body: @Sendable (WriteTransaction) throws -> Int)]
    ) async -> [Result<Int, any Error>] {
        let gate = Gate()
        let results = Collector<(index: Int, result: Result<Int, any Error>)>()
        database.enqueueWrite { _ in
            gate.wait()
        } completion: { _ in
        }
        for (index, write) in writes.enumerated() {
            database.enqueueWrite(isPlain: write.isPlain, write.body) { results.append((index, $0)) }
        }
        gate.open()
        return await results.wait(for: writes.count).sorted { $0.index < $1.index }.map(\.result)
    }

    private static func insert(_ id: Int) -> @Sendable (WriteTransaction) throws -> Int {
        { transaction in
            try transaction.run("INSERT INTO notes (id) VALUES (\(id))")
            return id
        }
    }

    private func withNotes(
        _ body: (Database) async throws -> Void
    ) async throws {
        try await withDatabase { database, _ in
            try await database.write { try $0.run("CREATE TABLE notes (id BIGINT PRIMARY KEY, text TEXT)") }
            try await body(database)
        }
    }

    private func notes(_ database: Database) async throws -> [Int] {
        try await database.read { try $0.rows("SELECT id FROM notes ORDER BY id").map { try $0["id"] } }
    }

    @Test("A failing entry is rolled back alone; the others are committed")
    func failureIsAlone() async throws {
        try await withNotes { database in
            let before = database.writeStatistics.snapshot
            let results = await batch(
                on: database,
                [
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
            let results = await batch(
                on: database, [(true, Self.insert(1)), (true, Self.insert(1)), (true, Self.insert(2))])
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
            try await database.write {
                try $0.run(
                    """
                    CREATE TRIGGER no_thirteen BEFORE INSERT ON notes WHEN NEW.id = 13
                    BEGIN SELECT RAISE(ROLLBACK, 'thirteen'); END
                    """)
            }
            let results = await batch(
                on: database,
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
            try await database.write {
                try $0.run(
                    """
                    CREATE TRIGGER no_thirteen BEFORE INSERT ON notes WHEN NEW.id = 13
                    BEGIN SELECT RAISE(ROLLBACK, 'thirteen'); END
                    """)
            }
            let results = await batch(
                on: database,
                [
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
            let results = await batch(
                on: database, [(false, Self.insert(1)), (false, large), (true, large), (true, Self.insert(2))])
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

    @Test("A failed write blocks the database until a commit changes rows, which proves that it can be written")
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
                _ = await batch(on: database, [(isPlain, deleteNothing)])
                #expect(database.blockage == .diskFull)
            }
            _ = try await database.writeAlone(deleteNothing)
            #expect(database.blockage == .diskFull)
            try await database.write { try $0.run("UPDATE change_sequence SET value = value") }
            #expect(database.blockage == nil)
        }
    }

    // MARK: Damaged pages

    /// Rows that fill many pages; the page of `row 20` is damaged.
    private func withDamagedNotes(_ body: (Database) async throws -> Void) async throws {
        try await withNotes { database in
            try await database.write { transaction in
                try transaction.run("CREATE TABLE sound (id BIGINT PRIMARY KEY)")
                for id in 0..<40 {
                    let text = "row \(id) " + String(repeating: "x", count: 3_000)
                    try transaction.run("INSERT INTO notes (id, text) VALUES (\(id), \(text))")
                }
            }
            try await database.damage(pageWith: "row 20 ")
            try await body(database)
        }
    }

    private static let writeDamaged: @Sendable (WriteTransaction) throws -> Int = { transaction in
        try transaction.run("UPDATE notes SET text = text || 'y' WHERE id = 20")
        return 20
    }

    private func sound(_ database: Database) async throws -> [Int] {
        try await database.read { try $0.map("SELECT id FROM sound ORDER BY id") { try $0["id"] } }
    }

    private static func insertSound(_ id: Int) -> @Sendable (WriteTransaction) throws -> Int {
        { transaction in
            try transaction.run("INSERT INTO sound (id) VALUES (\(id))")
            return id
        }
    }

    @Test("Entries before and after one that encounters a damaged page succeed", arguments: [true, false])
    func damagedPage(isPlain: Bool) async throws {
        try await withDamagedNotes { database in
            let before = database.writeStatistics.snapshot
            let results = await batch(
                on: database,
                [
                    (false, Self.insertSound(1)), (true, Self.insertSound(2)), (isPlain, Self.writeDamaged),
                    (false, Self.insertSound(3)), (true, Self.insertSound(4)),
                ])
            for (index, id) in [(0, 1), (1, 2), (3, 3), (4, 4)] { #expect(try results[index].get() == id) }
            do {
                _ = try results[2].get()
                Issue.record("the damaged row was written")
            } catch StorageError.corrupt {
            }
            let kept = try await sound(database)
            #expect(kept == [1, 2, 3, 4])
            // The entries before the damaged one, once more together, and those after it.
            let after = database.writeStatistics.snapshot
            #expect(after.entries - before.entries == 5)
            #expect(after.batches - before.batches <= 3)
        }
    }

    @Test("An entry that catches the error of a damaged page harms no other entry and does not succeed")
    func swallowedDamage() async throws {
        try await withDamagedNotes { database in
            let results = await batch(
                on: database,
                [
                    (false, Self.insertSound(1)),
                    (
                        false,
                        { transaction in
                            _ = try? Self.writeDamaged(transaction)
                            return 20
                        }
                    ),
                    (false, Self.insertSound(2)),
                ])
            #expect(try results[0].get() == 1)
            #expect(throws: StorageError.self) { try results[1].get() }
            #expect(try results[2].get() == 2)
            let kept = try await sound(database)
            #expect(kept == [1, 2])
        }
    }

    @Test("A part that encounters a damaged page is refused, and the rest of its entry is written")
    func damagedPart() async throws {
        try await withDamagedNotes { database in
            let refusals = try await database.write { transaction in
                var refusals: [Bool] = []
                for part in 0..<4 {
                    let refusal = try transaction.apart {
                        _ = try Self.insertSound(part)(transaction)
                        if part == 1 || part == 2 { _ = try Self.writeDamaged(transaction) }
                    }
                    refusals.append(refusal != nil)
                }
                return refusals
            }
            #expect(refusals == [false, true, true, false])
            let kept = try await sound(database)
            #expect(kept == [0, 3])
        }
    }

    /// Counts the batches for which it is made.
    private final class BatchCount: BatchAttachment {
        func entrySucceeded() {}
        func entryRolledBack() {}
        func partBegan() {}
        func partEnded(isKept: Bool) {}
        func finishBatch(in transaction: WriteTransaction) throws {}
        func whenDurable() -> (@Sendable () -> Void)? { nil }
    }

    @Test("A batch ends after its time although all of its entries fail")
    func endOfFailingBatch() async throws {
        try await withDatabase(maximumBatchTime: .zero) { database, _ in
            struct Refused: Error {}
            let made = Collector<Void>()
            database.attach(BatchCount.self) {
                made.append(())
                return BatchCount()
            }
            let results = await batch(on: database, Array(repeating: (false, { _ in throw Refused() }), count: 10))
            for result in results { #expect(throws: Refused.self) { try result.get() } }
            // The entry that blocks the thread, and each of the others.
            #expect(made.elements.count == 11)
        }
    }
}
