import TestSupport
import Testing

@testable import Storage

@Suite("A batch of writes that encounters a damaged page")
struct DamagedBatchTests {
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
            let results = await database.batch([
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
            let results = await database.batch([
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
}
