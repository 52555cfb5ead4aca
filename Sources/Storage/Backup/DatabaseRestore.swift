import Foundation
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
    ///   - marks: the marks of all modules.
    ///   - now: becomes part of the name of the former database.
    /// - Throws: ``BackupError``; `inUse` when a process has the database open. ``StorageError``; `busy` when the
    ///   write lock is not free within five seconds.
    package static func put(
        _ source: String, inPlaceOf path: String, marks: [RestoreMark], now: Timestamp = .now()
    ) async throws -> Outcome {
        _ = try await DatabaseCopy.check(source)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BackupError.cannotWrite(path: folder, reason: "\(error)")
        }
        let path = DatabasePath.resolved(path)
        let staged = DatabaseBackup.temporaryName(beside: path)
        let copy = try await DatabaseCopy.make(of: source, at: staged)
        do {
            try await RestoreMark.set(marks, in: staged, at: now)
            try OfflineDatabase.preserveOwner(of: path, at: staged)
            return Outcome(copy: copy, replaced: try await swap(staged, for: path, now: now))
        } catch {
            unlink(staged)
            throw error
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
