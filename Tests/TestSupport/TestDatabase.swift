import Storage

/// Creates and migrates a database, runs `body` with it, and closes it.
///
/// - Parameter maximumBatchTime: the time after which a batch of writes takes no further entries.
package func withDatabase<Value>(
    maximumBatchTime: Duration = .milliseconds(5),
    _ body: (_ database: Database, _ folder: TemporaryFolder) async throws -> Value
) async throws -> Value {
    let folder = try TemporaryFolder()
    let database = try Database.open(path: folder.file("test.sqlite"), maximumBatchTime: maximumBatchTime)
    defer { database.close() }
    try await database.migrate()
    return try await body(database, folder)
}

extension Database {
    /// Truncates the log as soon as no reader needs it: `read` returns a moment before its snapshot ends.
    package func truncateLogAfterReads() async throws {
        while try await !truncateLog() { await Task.yield() }
    }
}
