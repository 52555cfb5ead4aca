import Domains
import Foundation
import Storage
import Synchronization

/// The files of migrated databases by the names of their domains, each made once for all tests of the process. Each of
/// the many migrations waits for the disk, and most tests take less time than all migrations together.
private let migratedFiles = Mutex<[[String]: Task<Data, any Error>]>([:])

private func migratedFile(of domains: [Domain]) async throws -> Data {
    let names = domains.map(\.name)
    let file = migratedFiles.withLock { files in
        if let known = files[names] { return known }
        let new = Task { try await makeFile(of: domains) }
        files[names] = new
        return new
    }
    return try await file.value
}

private func makeFile(of domains: [Domain]) async throws -> Data {
    let folder = try TemporaryFolder()
    let database = try Database.open(path: folder.file("test.sqlite"), schema: Schema(of: domains))
    defer { database.close() }
    try await database.migrate()
    // All of it is in the file then.
    try await database.truncateLogAfterReads()
    return try Data(contentsOf: URL(fileURLWithPath: folder.file("test.sqlite")))
}

/// A migrated database in a folder of its own, which exists until ``close()``.
package struct TestDatabase: Sendable {
    package let folder: TemporaryFolder
    package let database: Database

    package var path: String { database.path }

    /// - Parameters:
    ///   - domains: those whose tables it has.
    ///   - maximumBatchTime: the time after which a batch of writes accepts no further entries.
    package init(of domains: [Domain], maximumBatchTime: Duration = .milliseconds(5)) async throws {
        let migrated = try await migratedFile(of: domains)
        folder = try TemporaryFolder()
        let path = folder.file("test.sqlite")
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        try FileHandle(forWritingTo: URL(fileURLWithPath: path)).write(contentsOf: migrated)
        database = try Database.open(path: path, schema: Schema(of: domains), maximumBatchTime: maximumBatchTime)
    }

    package func close() { database.close() }
}

/// Creates a migrated database, runs `body` with it, and closes it.
///
/// - Parameters:
///   - domains: those whose tables it has.
///   - maximumBatchTime: the time after which a batch of writes accepts no further entries.
package func withDatabase<Value>(
    of domains: [Domain], maximumBatchTime: Duration = .milliseconds(5),
    _ body: (_ database: Database, _ folder: TemporaryFolder) async throws -> Value
) async throws -> Value {
    let storage = try await TestDatabase(of: domains, maximumBatchTime: maximumBatchTime)
    defer { storage.close() }
    return try await body(storage.database, storage.folder)
}

extension Database {
    /// Truncates the log as soon as no reader needs it: `read` returns a moment before its snapshot ends.
    package func truncateLogAfterReads() async throws {
        while try await !truncateLog() { await Task.yield() }
    }
}
