import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("Checkpoints during writes", .timeLimit(.minutes(5)))
struct ConcurrentCheckpointTests {
    /// Writes some two megabytes.
    private func fill(_ database: Database) async throws {
        try await database.write { transaction in
            try transaction.run("CREATE TABLE words (id BIGINT NOT NULL PRIMARY KEY, word TEXT)")
            for id in 0..<1_000 {
                try transaction.run(
                    "INSERT INTO words (id, word) VALUES (\(Int64(id)), \(String(repeating: "word ", count: 400)))")
            }
        }
    }

    private func addWord(_ database: Database) async throws {
        try await database.write {
            try $0.run("INSERT INTO words (id, word) SELECT MAX(id) + 1, 'one more' FROM words")
        }
    }

    private func begin(_ checkpoints: ConcurrentCheckpoints, _ database: Database) async throws -> Bool {
        try await database.maintain { try checkpoints.begin(atLeast: 1, on: $0) }.value
    }

    /// The salt of the log's header: SQLite chooses another one when it resets the log.
    private func salt(_ database: Database) throws -> Data {
        let log = try FileHandle(forReadingFrom: URL(fileURLWithPath: database.path + "-wal"))
        defer { try? log.close() }
        try log.seek(toOffset: 16)
        return try #require(try log.read(upToCount: 8))
    }

    private func fileSize(_ database: Database) throws -> Int {
        try Data(contentsOf: URL(fileURLWithPath: database.path)).count
    }

    @Test("Pages reach the file while another writer holds the write lock")
    func besideWriter() async throws {
        try await withDatabase { database, _ in
            try await fill(database)
            let checkpoints = try ConcurrentCheckpoints(path: database.path)
            defer { checkpoints.close() }
            let size = try fileSize(database)
            #expect(try await begin(checkpoints, database))
            let (writing, gate) = (Collector<Void>(), Gate())
            let writer = Task {
                try await database.write { transaction in
                    _ = try transaction.nextChange()
                    writing.append(())
                    // This does not run on the cooperative pool: it is the writer's thread.
                    gate.wait()
                }
            }
            await writing.wait(for: 1)
            try await checkpoints.run()
            #expect(try fileSize(database) > size + 1_000_000)
            gate.open()
            try await writer.value
        }
    }

    @Test("Nobody resets the log from the beginning of a checkpoint to its end")
    func logIsKept() async throws {
        try await withDatabase { database, _ in
            try await fill(database)
            let checkpoints = try ConcurrentCheckpoints(path: database.path)
            defer { checkpoints.close() }
            #expect(try await begin(checkpoints, database))
            let before = try salt(database)
            // With all pages in the file, the next writer would reset the log.
            #expect(try await database.maintain { try $0.moveLog(truncates: false) }.value)
            try await addWord(database)
            #expect(try salt(database) == before)
            try await checkpoints.run()
            try await database.checkpoint()
            try await addWord(database)
            #expect(try salt(database) != before)
        }
    }

    @Test("A checkpoint does not begin during another one, nor without pages to move")
    func refusedCheckpoint() async throws {
        try await withDatabase { database, _ in
            try await fill(database)
            let checkpoints = try ConcurrentCheckpoints(path: database.path)
            defer { checkpoints.close() }
            #expect(try await begin(checkpoints, database))
            #expect(try await begin(checkpoints, database) == false)
            try await checkpoints.run()
            try await database.checkpoint()
            #expect(try await begin(checkpoints, database) == false)
            try await addWord(database)
            #expect(try await begin(checkpoints, database))
            try await checkpoints.run()
        }
    }

    @Test("The rows of several writers are complete after many concurrent checkpoints")
    func rowsAfterManyCheckpoints() async throws {
        try await withDatabase { database, _ in
            try await fill(database)
            // A second lock file descriptor and connection, like those of another process.
            let other = try Database.open(path: database.path, schema: .all)
            defer { other.close() }
            let (rounds, perRound) = (60, 40)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (writer, database) in [database, other].enumerated() {
                    group.addTask {
                        for round in 0..<rounds {
                            try await database.write { transaction in
                                for number in 0..<perRound {
                                    let id = Int64(10_000 + (round * perRound + number) * 2 + writer)
                                    let word = String(repeating: "\(id) ", count: 500)
                                    try transaction.run("INSERT INTO words (id, word) VALUES (\(id), \(word))")
                                }
                                try transaction.run(
                                    "UPDATE words SET word = \("changed in \(round)") WHERE id % 97 = \(Int64(round))")
                            }
                        }
                    }
                }
                let checkpointing = Task {
                    var count = 0
                    while !Task.isCancelled {
                        try await database.checkpoint(truncates: count % 5 == 4)
                        count += 1
                    }
                    return count
                }
                try await group.waitForAll()
                checkpointing.cancel()
                #expect(try await checkpointing.value > 0)
            }
            let count: Int = try await other.read {
                try #require(try $0.row("SELECT COUNT(*) AS count FROM words"))["count"]
            }
            #expect(count == 1_000 + 2 * rounds * perRound)
            #expect(try await other.read { try $0.damages(limit: 3) } == [])
        }
    }
}
