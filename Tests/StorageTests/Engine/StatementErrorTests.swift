import TestSupport
import Testing

@testable import Storage

@Suite("A statement's error within a batch")
struct StatementErrorTests {
    enum Engine: CaseIterable {
        /// Each statement ends before the next one is run.
        case sqlite
        /// Errors of statements whose count nobody uses surface with a later statement (``PipeliningEngine``).
        case pipelining
    }

    private static let refusal = StorageError.constraint("UNIQUE constraint failed: notes.id")

    private func withNotes(_ engine: Engine, _ body: (Database) async throws -> Void) async throws {
        try await StorageTests.withNotes { database in
            switch engine {
            case .sqlite: try await body(database)
            case .pipelining:
                let pipelining = Database(
                    engine: try PipeliningEngine(path: database.path), schema: database.schema, niceness: 0,
                    maximumBatchTime: .seconds(3_600))
                defer { pipelining.close() }
                try await body(pipelining)
            }
        }
    }

    private static func insert(_ ids: Int...) -> @Sendable (WriteTransaction) throws -> Int {
        { transaction in
            for id in ids { try transaction.run("INSERT INTO notes (id) VALUES (\(id))") }
            return ids.count
        }
    }

    private func notes(_ database: Database) async throws -> [Int] {
        try await database.read { try $0.map("SELECT id FROM notes ORDER BY id") { try $0["id"] } }
    }

    @Test("fails its entry, and the entries before and after it are committed", arguments: Engine.allCases)
    func entry(engine: Engine) async throws {
        try await withNotes(engine) { database in
            // In the middle of the entry, and as its last statement.
            let results = await database.batch([
                (false, Self.insert(1)), (false, Self.insert(2, 1, 5)), (false, Self.insert(3)),
                (false, Self.insert(6, 1)), (true, Self.insert(4)),
            ])
            for index in [0, 2, 4] { #expect(try results[index].get() == 1) }
            for index in [1, 3] { #expect(throws: Self.refusal) { try results[index].get() } }
            let kept = try await notes(database)
            #expect(kept == [1, 3, 4])
        }
    }

    @Test("fails its entry without a savepoint, and the others run again", arguments: Engine.allCases)
    func plainEntry(engine: Engine) async throws {
        try await withNotes(engine) { database in
            let results = await database.batch([
                (true, Self.insert(1)), (true, Self.insert(2, 1)), (false, Self.insert(3)), (true, Self.insert(4)),
            ])
            for index in [0, 2, 3] { #expect(try results[index].get() == 1) }
            #expect(throws: Self.refusal) { try results[1].get() }
            let kept = try await notes(database)
            #expect(kept == [1, 3, 4])
        }
    }

    @Test("fails its part of an entry, and the other parts are committed", arguments: Engine.allCases)
    func part(engine: Engine) async throws {
        try await withNotes(engine) { database in
            let refusals = try await database.write { transaction in
                try [Self.insert(1), Self.insert(2, 1), Self.insert(3)].map { insert in
                    try transaction.apart { _ = try insert(transaction) } as? StorageError
                }
            }
            #expect(refusals == [nil, Self.refusal, nil])
            let kept = try await notes(database)
            #expect(kept == [1, 3])
        }
    }

    @Test("fails the entry, and not the part that comes after it", arguments: Engine.allCases)
    func beforePart(engine: Engine) async throws {
        try await withNotes(engine) { database in
            await #expect(throws: Self.refusal) {
                try await database.write { transaction in
                    _ = try Self.insert(1, 1)(transaction)
                    _ = try transaction.apart { _ = try Self.insert(2)(transaction) }
                }
            }
            let kept = try await notes(database)
            #expect(kept == [])
        }
    }

    @Test("fails a write in a transaction of its own", arguments: Engine.allCases)
    func alone(engine: Engine) async throws {
        try await withNotes(engine) { database in
            await #expect(throws: Self.refusal) { _ = try await database.writeAlone(Self.insert(1, 1)) }
            _ = try await database.writeAlone(Self.insert(2))
            let kept = try await notes(database)
            #expect(kept == [2])
        }
    }
}
