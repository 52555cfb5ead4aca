import TestSupport

@testable import Storage

/// Runs `body` with a database that has a table of notes.
func withNotes(_ body: (Database) async throws -> Void) async throws {
    try await withDatabase { database, _ in
        try await database.write { try $0.run("CREATE TABLE notes (id BIGINT PRIMARY KEY, text TEXT)") }
        try await body(database)
    }
}

extension Database {
    /// Runs the writes as one batch. They are enqueued while the writer's thread is blocked.
    ///
    /// - Returns: the result of each, in order.
    func batch(
        _ writes: [(isPlain: Bool, body: @Sendable (WriteTransaction) throws -> Int)]
    ) async -> [Result<Int, any Error>] {
        let gate = Gate()
        let results = Collector<(index: Int, result: Result<Int, any Error>)>()
        enqueueWrite { _ in
            gate.wait()
        } completion: { _ in
        }
        for (index, write) in writes.enumerated() {
            enqueueWrite(isPlain: write.isPlain, write.body) { results.append((index, $0)) }
        }
        gate.open()
        return await results.wait(for: writes.count).sorted { $0.index < $1.index }.map(\.result)
    }
}
