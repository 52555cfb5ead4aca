import CLinux
import Foundation

/// The lock file beside the database on which the writers of all processes queue.
///
/// SQLite's busy handler polls with growing sleeps, and SQLite up to 3.51.2 can lose pages when one process checkpoints
/// while another commits ("the WAL-reset bug", sqlite.org/wal.html). `flock` queues writers in the kernel and excludes
/// checkpoints during commits. The kernel releases the lock when its holder dies.
///
/// The kernel wakes a waiter and does not hand the lock over: a process with much to write would take it again before
/// the waiter runs. So a writer waits for the file's first byte, which the next one in turn holds, before it waits for
/// the lock; who has just released the lock is behind the one who holds the byte.
struct WriteLock: ~Copyable {
    private let descriptor: Int32
    let path: String

    init(databasePath: String) throws {
        path = databasePath + ".lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            throw StorageError(code) ?? .cannotOpen(path: path, reason: String(cString: strerror(code)))
        }
    }

    deinit {
        close(descriptor)
    }

    /// Takes the lock if it is free.
    ///
    /// - Returns: whether it was free.
    func tryLock() -> Bool {
        guard beNext(waits: false) else { return false }
        defer { letNextWait() }
        return retryingInterrupts { flock(descriptor, LOCK_EX | LOCK_NB) }
    }

    /// Waits for the lock; only for threads that may block.
    func lock() throws {
        guard beNext(waits: true) else {
            throw StorageError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        defer { letNextWait() }
        guard retryingInterrupts({ flock(descriptor, LOCK_EX) }) else {
            throw StorageError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
    }

    func unlock() {
        _ = retryingInterrupts { flock(descriptor, LOCK_UN) }
    }

    private func beNext(waits: Bool) -> Bool {
        retryingInterrupts { clinux_lock_first_byte(descriptor, Int16(F_WRLCK), waits ? 1 : 0) }
    }

    private func letNextWait() {
        _ = retryingInterrupts { clinux_lock_first_byte(descriptor, Int16(F_UNLCK), 0) }
    }

    private func retryingInterrupts(_ call: () -> Int32) -> Bool {
        while true {
            if call() == 0 { return true }
            if errno != EINTR { return false }
        }
    }

    /// The process that holds the lock file at `path`; `nil` when no process does, or when it cannot be seen.
    static func holder(path: String) -> Int32? { FileLock.holder(ofFlock: path) }
}
