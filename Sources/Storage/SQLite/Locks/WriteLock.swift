import CLinux
import Foundation
import Model
import Synchronization

/// The lock file beside the database on which the writers of all processes queue.
///
/// SQLite's busy handler polls with growing sleeps, and SQLite up to 3.51.2 can lose pages when one process checkpoints
/// while another commits ("the WAL-reset bug", sqlite.org/wal.html). `flock` queues writers in the kernel and excludes
/// checkpoints during commits. The kernel releases the lock when its holder dies.
///
/// The kernel wakes a waiter but does not hand the lock over: a process with much to write would take it again before
/// the waiter runs. So before it waits for the lock, a writer waits for a lock on the file's first byte, which the next
/// one in turn holds; whoever has just released the lock queues after the holder of the byte.
///
/// A process that is stopped while it holds the byte does not wait for the lock, which may be free. The others pass it
/// over: after ``queueTimeout`` they wait for the lock without the byte, and then for ``passingTime`` they do not wait
/// for the byte at all.
struct WriteLock: ~Copyable {
    static let suffix = ".lock"
    /// How long a writer waits for its turn, in milliseconds.
    static let queueTimeout: UInt32 = 100
    /// For how long a process that did not get its turn in time waits without taking turns.
    static let passingTime = Duration.seconds(1)

    private let descriptor: Int32
    let path: String
    /// Until when this process waits without taking turns, in microseconds (``MonotonicInstant``).
    private let passingUntil = Atomic<Int64>(0)
    /// Since when another process has been next in turn at each call of ``tryLock()``, in microseconds; 0 if it was
    /// not.
    private let waitingSince = Atomic<Int64>(0)

    init(databasePath: String) throws {
        let database = DatabasePath.resolved(databasePath)
        path = database + Self.suffix
        descriptor = DatabasePath.open(path, ownedAs: [database, DatabasePath.folder(of: database)])
        guard descriptor >= 0 else {
            let code = errno
            throw StorageError(code) ?? .cannotOpen(path: path, reason: String(cString: strerror(code)))
        }
    }

    deinit {
        close(descriptor)
    }

    /// Takes the lock if it is free and nobody is next in turn, or has been for ``queueTimeout``.
    ///
    /// - Returns: whether it was taken.
    func tryLock() -> Bool {
        let isNext = beNext()
        guard isNext || isPassing || hasWaitedLong() else { return false }
        defer { if isNext { wakeNextWaiter() } }
        return retryingInterrupts { flock(descriptor, LOCK_EX | LOCK_NB) }
    }

    /// Waits for the lock; only for threads that may block.
    func lock() throws {
        let isNext = try waitInQueue()
        waitingSince.store(0, ordering: .relaxed)
        defer { if isNext { wakeNextWaiter() } }
        guard retryingInterrupts({ flock(descriptor, LOCK_EX) }) else { throw failure() }
    }

    func unlock() {
        _ = retryingInterrupts { flock(descriptor, LOCK_UN) }
    }

    /// - Returns: `false` if another process does not give up the turn.
    private func waitInQueue() throws -> Bool {
        if beNext() { return true }
        if isPassing { return false }
        if clinux_lock_first_byte_within(descriptor, Self.queueTimeout) == 0 { return true }
        guard errno == ETIMEDOUT else { throw failure() }
        pass()
        return false
    }

    /// Must be called when another process is next in turn.
    private func hasWaitedLong() -> Bool {
        let (since, now) = (waitingSince.load(ordering: .relaxed), MonotonicInstant.now().microseconds)
        guard since > 0 else {
            waitingSince.store(now, ordering: .relaxed)
            return false
        }
        guard now - since >= Int64(Self.queueTimeout) * 1_000 else { return false }
        pass()
        return true
    }

    private func pass() {
        let end = MonotonicInstant.now().advanced(by: Self.passingTime)
        passingUntil.store(end.microseconds, ordering: .relaxed)
    }

    private var isPassing: Bool {
        MonotonicInstant.now().microseconds < passingUntil.load(ordering: .relaxed)
    }

    private func beNext() -> Bool {
        guard retryingInterrupts({ clinux_lock_first_byte(descriptor, Int16(F_WRLCK)) }) else { return false }
        waitingSince.store(0, ordering: .relaxed)
        return true
    }

    private func wakeNextWaiter() {
        _ = retryingInterrupts { clinux_lock_first_byte(descriptor, Int16(F_UNLCK)) }
    }

    private func failure() -> StorageError {
        .cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }

    private func retryingInterrupts(_ call: () -> Int32) -> Bool {
        while true {
            if call() == 0 { return true }
            if errno != EINTR { return false }
        }
    }

    /// The process that holds the lock file at `path`; `nil` when no process does, or when it cannot be seen.
    static func holder(path: String) -> Int32? { FileLock.holder(ofFlock: path) ?? nextInQueue(path: path) }

    /// The process that is next in turn for the lock file at `path`.
    static func nextInQueue(path: String) -> Int32? { FileLock.holder(ofDescriptionLock: path) }
}
