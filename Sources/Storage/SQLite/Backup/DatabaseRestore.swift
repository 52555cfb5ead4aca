import Foundation
import GRDB
import Model

/// Replaces a database by a backup.
package enum DatabaseRestore {
    package struct Outcome: Sendable, Equatable {
        package let copy: DatabaseCopy
        /// The path to which the former database was moved; `nil` when there was none.
        package let replaced: String?
    }

    /// Replaces the database at `path` by the backup at `source`, migrated to this version's schema and marked as
    /// restored (``RestoreMark``).
    ///
    /// At every moment, even after a power failure, `path` is the whole old database or the whole new one. The new one
    /// is complete in a file beside it before the rename. Before that the log of the old one is emptied or removed,
    /// because SQLite would apply it to the new one.
    ///
    /// - Parameters:
    ///   - schema: the schema of this program.
    ///   - marks: the marks of all domains.
    ///   - now: becomes part of the name of the former database.
    /// - Throws: ``BackupError``; `inUse` when a process has the database open. ``StorageError``; `busy` when the
    ///   write lock is not free within five seconds.
    package static func put(
        _ source: String, inPlaceOf path: String, schema: Schema, marks: [RestoreMark], now: Timestamp = .now()
    ) async throws -> Outcome {
        _ = try await DatabaseCopy.check(source, schema: schema)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BackupError.cannotWrite(path: folder, reason: "\(error)")
        }
        let path = DatabasePath.resolved(path)
        let staged = DatabaseBackup.temporaryName(beside: path)
        let copy = try await DatabaseCopy.make(of: source, at: staged, schema: schema)
        do {
            try await mark(staged, with: marks, schema: schema, at: now)
            try OfflineDatabase.preserveOwner(of: path, at: staged)
            return Outcome(copy: copy, replaced: try await swap(staged, for: path, now: now))
        } catch {
            unlink(staged)
            throw error
        }
    }

    /// Migrates a copy of a database that no process uses, and marks it as restored, durably.
    ///
    /// - Throws: ``StorageError``. The copy may then be unusable.
    private static func mark(
        _ path: String, with marks: [RestoreMark], schema: Schema, at now: Timestamp
    ) async throws {
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
            try await queue.writeWithoutTransaction { database in
                let connection = SQLiteConnection(database)
                try connection.begin()
                do {
                    let transaction = WriteTransaction(connection: connection, attachments: [])
                    for migration in schema.migrations { _ = try transaction.apply(migration) }
                    try transaction.mark(marks, at: now)
                    try connection.commit()
                } catch {
                    connection.rollback()
                    throw error
                }
                try connection.file?.sync()
            }
        } catch let error as DatabaseError {
            throw StorageError(error)
        }
    }

    /// Renames the files under the write lock.
    private static func swap(_ staged: String, for path: String, now: Timestamp) async throws -> String? {
        try await OfflineDatabase.withLock(of: path) {
            let kept = try preserve(path, now: now)
            guard rename(staged, path) == 0 else { throw DatabaseCopy.cannotWrite(path) }
            try DatabaseBackup.syncFolder(of: path)
            return kept
        }
    }

    /// Gives the database a second name, under which it remains available.
    ///
    /// - Returns: that name; `nil` when there is no database.
    private static func preserve(_ path: String, now: Timestamp) throws -> String? {
        guard DatabaseBackup.exists(path) else {
            try OfflineDatabase.clearLog(of: path)
            return nil
        }
        // 2026-11-20T22-15-42: without colons, which some tools interpret as the end of a host name.
        let moment = now.description.prefix(19).replacing(":", with: "-")
        var kept = "\(path).replaced-\(moment)"
        var count = 1
        while DatabaseBackup.exists(kept) {
            count += 1
            kept = "\(path).replaced-\(moment)-\(count)"
        }
        let isWhole = try OfflineDatabase.mergeLog(of: path)
        guard link(path, kept) == 0 else { throw DatabaseCopy.cannotWrite(kept) }
        if !isWhole, DatabaseBackup.exists(path + "-wal") {
            guard link(path + "-wal", kept + "-wal") == 0 else { throw DatabaseCopy.cannotWrite(kept + "-wal") }
        }
        try DatabaseBackup.syncFolder(of: path)
        try OfflineDatabase.clearLog(of: path)
        return kept
    }
}
