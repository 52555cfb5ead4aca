import CSQLite
import GRDB
import Model

/// The changes that a restore makes in the tables of a module.
///
/// A backup knows nothing of what happened after it was made: requests that were sent to services, jobs that ended, and
/// the numbers of changes that pages have seen.
package struct RestoreMark: Sendable {
    /// Added to numbers that grow, so that they repeat none of those that were assigned after the backup was made.
    package static let leap = 1_000_000

    let statement: SQL

    package init(_ statement: SQL) {
        self.statement = statement
    }

    /// Migrates a copy of a database that no process uses, and marks it as restored, durably.
    ///
    /// - Throws: ``StorageError``. The copy may then be unusable.
    static func set(_ marks: [RestoreMark], in path: String, at now: Timestamp) async throws {
        try ZeroingVFS.use(path: path)
        var configuration = Configuration()
        configuration.label = "backline-restore"
        configuration.prepareDatabase { connection in
            try connection.execute(sql: "PRAGMA temp_store = MEMORY")
            try connection.execute(sql: "PRAGMA secure_delete = ON")
            // After an error the copy is deleted.
            try connection.execute(sql: "PRAGMA journal_mode = OFF")
        }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            try await queue.writeWithoutTransaction { connection in
                try connection.inTransaction {
                    let transaction = WriteTransaction(connection: connection, attachments: [])
                    for migration in Migration.all { _ = try transaction.apply(migration) }
                    try transaction.markRestore(at: now)
                    for mark in marks { try transaction.run(mark.statement) }
                    return .commit
                }
                try ZeroingVFS.File(of: connection.sqliteConnection!)?.sync()
            }
        } catch let error as DatabaseError {
            throw StorageError(error)
        }
    }
}

extension WriteTransaction {
    fileprivate func markRestore(at now: Timestamp) throws {
        try run("INSERT INTO database_restores (restored_at) VALUES (\(now))")
        try run("UPDATE change_sequence SET value = value + \(RestoreMark.leap)")
    }
}

extension SQLReader {
    /// How often the database has been restored from a backup.
    package func restoreCount() throws -> Int {
        try row("SELECT COUNT(*) AS restores FROM database_restores")?["restores"] ?? 0
    }

    /// The history to which the numbers of changes belong; `nil` in a database that was never restored.
    package func history() throws -> DatabaseHistory? {
        let times: [Timestamp] = try rows("SELECT restored_at FROM database_restores").map { try $0["restored_at"] }
        return times.isEmpty ? nil : DatabaseHistory(restores: times)
    }
}
