import Foundation
import Storage

/// The file of a migrated database, made once for all tests of the process. Each of the many migrations waits for the
/// disk, and most tests take less time than all migrations together.
private let migratedFile = Task {
    let folder = try TemporaryFolder()
    let database = try Database.open(path: folder.file("test.sqlite"))
    defer { database.close() }
    try await database.migrate()
    // All of it is in the file then.
    try await database.truncateLogAfterReads()
    return try Data(contentsOf: URL(fileURLWithPath: folder.file("test.sqlite")))
}

/// Creates a migrated database, runs `body` with it, and closes it.
///
/// - Parameter maximumBatchTime: the time after which a batch of writes accepts no further entries.
package func withDatabase<Value>(
    maximumBatchTime: Duration = .milliseconds(5),
    _ body: (_ database: Database, _ folder: TemporaryFolder) async throws -> Value
) async throws -> Value {
    let migrated = try await migratedFile.value
    let folder = try TemporaryFolder()
    let path = folder.file("test.sqlite")
    _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    try FileHandle(forWritingTo: URL(fileURLWithPath: path)).write(contentsOf: migrated)
    let database = try Database.open(path: path, maximumBatchTime: maximumBatchTime)
    defer { database.close() }
    return try await body(database, folder)
}

extension Database {
    /// Truncates the log as soon as no reader needs it: `read` returns a moment before its snapshot ends.
    package func truncateLogAfterReads() async throws {
        while try await !truncateLog() { await Task.yield() }
    }
}
