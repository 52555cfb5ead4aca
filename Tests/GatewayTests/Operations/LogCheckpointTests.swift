import Storage
import TestSupport
import Testing

@testable import Gateway

@Suite("Checkpoints while a reader blocks", .timeLimit(.minutes(5)))
struct LogCheckpointTests {
    /// Writes more than one checkpoint's worth of log.
    private func fillLog(of database: Database) async throws {
        let words = String(repeating: "w", count: 1_000_000)
        for number in 0..<20 {
            try await database.write {
                try $0.run("INSERT INTO filler (number, words) VALUES (\(number), \(words))")
            }
        }
    }

    @Test("Checkpoints become rare while a reader needs the log, and the log is emptied soon after it ends")
    func backsOff() async throws {
        try await withDatabase { database, _ in
            try await database.write {
                try $0.run("CREATE TABLE filler (number BIGINT NOT NULL PRIMARY KEY, words TEXT)")
            }
            let (reading, end) = (Collector<Void>(), Gate())
            let reader = Task {
                try await database.read { reader in
                    _ = try reader.lastChange()
                    reading.append(())
                    end.wait()
                }
            }
            await reading.wait(for: 1)
            try await fillLog(of: database)
            let checkpoints = LogCheckpoints(database: database)
            var blocked = 0
            for _ in 0..<1_000 where try await checkpoints.run() == .blocked { blocked += 1 }
            // The pauses between them are 1, 2, 4 … 64 calls, and 64 again.
            #expect((10...25).contains(blocked), "\(blocked)")
            end.open()
            try await reader.value
            var calls = 0
            while try await checkpoints.run() != .whole, calls < 1_000 { calls += 1 }
            // The read returns a moment before its snapshot ends, so that some further checkpoints may be blocked.
            #expect(calls <= 5 * (LogCheckpoints.longestPause + 1))
            // Without a reader there are no pauses.
            try await database.write { try $0.run("DELETE FROM filler") }
            try await fillLog(of: database)
            #expect(try await checkpoints.run() == .whole)
        }
    }
}
