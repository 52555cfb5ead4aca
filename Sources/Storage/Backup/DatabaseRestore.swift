import CSQLite
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

    /// Replaces the database at `path` by the backup at `source`.
    ///
    /// At every moment, even after a power failure, `path` is the whole old database or the whole new one. The new one
    /// is complete in a file beside it before the rename. Before that the log of the old one is emptied or removed,
    /// because SQLite would apply it to the new one.
    ///
    /// - Parameter now: becomes part of the name of the former database.
    /// - Throws: ``BackupError``; `inUse` when a process has the database open. ``StorageError``; `busy` when the
    ///   write lock is not free within five seconds.
    package static func put(
        _ source: String, inPlaceOf path: String, now: Timestamp = .now()
    ) async throws -> Outcome {
        _ = try await DatabaseCopy.check(source)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BackupError.cannotWrite(path: folder, reason: "\(error)")
        }
        let staged = DatabaseBackup.temporaryName(beside: path)
        let copy = try await DatabaseCopy.make(of: source, at: staged)
        do {
            try await RestoreMark.set(in: staged, at: now)
            return Outcome(copy: copy, replaced: try await swap(staged, for: path, now: now))
        } catch {
            unlink(staged)
            throw error
        }
    }

    /// Renames the files under the write lock, which ``Database/open(path:niceness:)`` takes as well.
    private static func swap(_ staged: String, for path: String, now: Timestamp) async throws -> String? {
        let lock = try WriteLock(databasePath: path)
        let deadline = MonotonicInstant.now().advanced(by: WriteQueueState.lockTimeout)
        while !lock.tryLock() {
            guard MonotonicInstant.now() < deadline else {
                throw StorageError.busy(holder: WriteLock.holder(path: lock.path))
            }
            try await Task.sleep(for: .milliseconds(2))
        }
        defer { lock.unlock() }
        try refuseIfOpen(path)
        let kept = try keep(path, now: now)
        guard rename(staged, path) == 0 else { throw DatabaseCopy.cannotWrite(path) }
        try DatabaseBackup.syncFolder(of: path)
        return kept
    }

    /// Throws if a process has the database open. Every connection in WAL mode holds a shared lock on the shared memory
    /// file (sqlite.org/walformat.html, section 2.3), so that the kernel would refuse an exclusive one.
    private static func refuseIfOpen(_ path: String) throws(BackupError) {
        let memory = path + "-shm"
        let descriptor = open(memory, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var question = flock()
        question.l_type = Int16(F_WRLCK)
        question.l_whence = Int16(SEEK_SET)
        guard fcntl(descriptor, F_GETLK, &question) == 0 else { throw DatabaseCopy.cannotWrite(memory) }
        guard question.l_type == Int16(F_UNLCK) else {
            let seen = FileLock.holders(of: memory).filter { $0 > 0 }
            throw .inUse(processes: seen.isEmpty && question.l_pid > 0 ? [question.l_pid] : seen)
        }
    }

    /// Gives the database a second name, under which it is kept.
    ///
    /// - Returns: that name; `nil` when there is no database.
    private static func keep(_ path: String, now: Timestamp) throws -> String? {
        guard DatabaseBackup.exists(path) else {
            try clearLog(of: path)
            return nil
        }
        // 2026-11-20T22-15-42: without colons, which some tools read as the end of a host name.
        let moment = now.description.prefix(19).replacing(":", with: "-")
        var kept = "\(path).replaced-\(moment)"
        var count = 1
        while DatabaseBackup.exists(kept) {
            count += 1
            kept = "\(path).replaced-\(moment)-\(count)"
        }
        let isWhole = try mergeLog(of: path)
        guard link(path, kept) == 0 else { throw DatabaseCopy.cannotWrite(kept) }
        if !isWhole, DatabaseBackup.exists(path + "-wal") {
            guard link(path + "-wal", kept + "-wal") == 0 else { throw DatabaseCopy.cannotWrite(kept + "-wal") }
        }
        try DatabaseBackup.syncFolder(of: path)
        try clearLog(of: path)
        return kept
    }

    /// Writes the log into the database file by leaving WAL mode. SQLite checks that no other connection is open, and
    /// deletes the log and the shared memory.
    ///
    /// - Returns: `false` when the database is too damaged for that.
    private static func mergeLog(of path: String) throws -> Bool {
        try CleanFiles.use(path: path)
        var configuration = Configuration()
        configuration.label = "backline-restore"
        // Closing a damaged database would delete its log, which may be needed for a repair.
        configuration.prepareDatabase { csqlite_disable_checkpoint_on_close($0.sqliteConnection) }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.writeWithoutTransaction {
                try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") == "delete"
            }
        } catch let error as DatabaseError {
            if [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
                // A program that does not take the write lock.
                throw BackupError.inUse(processes: FileLock.holders(of: path + "-shm").filter { $0 != getpid() })
            }
            return false
        }
    }

    private static func clearLog(of path: String) throws(BackupError) {
        for file in [path + "-wal", path + "-shm"] where unlink(file) != 0 && errno != ENOENT {
            throw DatabaseCopy.cannotWrite(file)
        }
        try DatabaseBackup.syncFolder(of: path)
    }
}
