import CSQLite
import Foundation
import GRDB
import Model

/// The operations of `restore` and `compact` on a database that no process uses. Each call needs the write lock
/// (``withLock(of:_:)``), so that no process opens the database meanwhile.
enum OfflineDatabase {
    /// Runs `body` under the write lock, which ``SQLiteEngine/init(path:)`` also takes.
    ///
    /// - Throws: ``StorageError``; `busy` when the lock is not free within five seconds. ``BackupError``; `inUse` when
    ///   a process has the database open.
    static func withLock<Value>(of path: String, _ body: () async throws -> Value) async throws -> Value {
        let lock = try WriteLock(databasePath: path)
        let deadline = MonotonicInstant.now().advanced(by: WriteQueueState.lockTimeout)
        while !lock.tryLock() {
            guard MonotonicInstant.now() < deadline else {
                throw StorageError.busy(holder: WriteLock.holder(path: lock.path))
            }
            try await Task.sleep(for: .milliseconds(2))
        }
        defer { lock.unlock() }
        try refuseIfOpen(DatabasePath.resolved(path))
        return try await body()
    }

    /// Gives a new file to the account that owns the database or, if there is none and root creates the file, to the
    /// owner of the folder: services could not open a file that root owns.
    static func preserveOwner(of path: String, at copy: String) throws(BackupError) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_uid != geteuid() || status.st_gid != getegid() else { return }
            guard lchown(copy, status.st_uid, status.st_gid) == 0 else { throw DatabaseCopy.cannotWrite(copy) }
        } else if geteuid() == 0, stat(DatabasePath.folder(of: path), &status) == 0, status.st_uid != 0 {
            guard lchown(copy, status.st_uid, status.st_gid) == 0 else { throw DatabaseCopy.cannotWrite(copy) }
        }
    }

    /// Throws if a process has the database open. Every connection in WAL mode holds a shared lock on the shared memory
    /// file (sqlite.org/walformat.html, section 2.3), so the kernel would refuse an exclusive one.
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

    /// Writes the log into the database file by leaving WAL mode. SQLite checks that no other connection is open, and
    /// deletes the log and the shared memory.
    ///
    /// - Returns: `false` when the database is too damaged for that.
    static func mergeLog(of path: String) throws -> Bool {
        try ZeroingVFS.use(path: path)
        var configuration = Configuration()
        configuration.label = "backline-offline"
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
                // A program that does not take the write lock has the database open.
                throw BackupError.inUse(processes: FileLock.holders(of: path + "-shm").filter { $0 != getpid() })
            }
            return false
        }
    }

    /// Deletes the log and the shared memory, which SQLite would apply to another file of the name.
    static func clearLog(of path: String) throws(BackupError) {
        for file in [path + "-wal", path + "-shm"] where unlink(file) != 0 && errno != ENOENT {
            throw DatabaseCopy.cannotWrite(file)
        }
        try DatabaseBackup.syncFolder(of: path)
    }
}
