import CSQLite
import GRDB
import Model

/// The changes that a restore makes in the restored database.
///
/// A backup knows nothing of what happened after it was made: requests that were sent to services, jobs that ended, and
/// the numbers of changes that pages have seen.
enum RestoreMark {
    /// Added to the number of the last change and to the run numbers of unfinished jobs, so that they repeat none of
    /// the numbers that were assigned after the backup was made.
    static let leap = 1_000_000

    /// Migrates a copy of a database that no process uses, and marks it as restored, durably.
    ///
    /// - Throws: ``StorageError``. The copy may then be unusable.
    static func set(in path: String, at now: Timestamp) async throws {
        try CleanFiles.use(path: path)
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
                    return .commit
                }
                try CleanFiles.File(of: connection.sqliteConnection!)?.sync()
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
        try run("UPDATE jobs SET run = run + \(RestoreMark.leap) WHERE finished_at IS NULL")
        // As after a restart of the machine, each slot is busy for one window from when it is first looked at.
        try run("UPDATE permit_slots SET boot = ''")
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
