import Foundation

/// The lock file beside the database that every writer of every process queues on.
///
/// SQLite's own busy handler polls with growing sleeps, and its releases up to 3.51.2 can
/// lose pages when one process checkpoints while another commits ("the WAL-reset bug",
/// sqlite.org/wal.html). `flock` queues writers in the kernel and keeps the checkpointer
/// apart from them. The kernel releases it when its holder dies.
struct WriteLock: ~Copyable {
    private let descriptor: Int32
    let path: String

    init(databasePath: String) throws {
        path = databasePath + ".lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StorageError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
    }

    deinit {
        close(descriptor)
    }

    /// Takes the lock if it is free.
    func tryLock() -> Bool {
        retryingInterrupts { flock(descriptor, LOCK_EX | LOCK_NB) }
    }

    /// Waits for the lock; only for threads that may block.
    func lock() throws {
        guard retryingInterrupts({ flock(descriptor, LOCK_EX) }) else {
            throw StorageError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
    }

    func unlock() {
        _ = retryingInterrupts { flock(descriptor, LOCK_UN) }
    }

    private func retryingInterrupts(_ call: () -> Int32) -> Bool {
        while true {
            if call() == 0 { return true }
            if errno != EINTR { return false }
        }
    }

    /// The process that holds the lock of the file at `path`, from `/proc/locks`; `nil` when nobody does.
    static func holder(path: String) -> Int32? {
        var status = stat()
        guard stat(path, &status) == 0,
            // `String(contentsOfFile:)` ends after the first page of such a file.
            let table = FileHandle(forReadingAtPath: "/proc/locks")?.readDataToEndOfFile()
        else { return nil }
        for line in String(decoding: table, as: UTF8.self).split(separator: "\n") {
            // "3: FLOCK  ADVISORY  WRITE 4711 fe:01:131090 0 EOF"; a waiting one has "->" after the number.
            let fields = line.split(separator: " ")
            guard fields.count >= 6, fields[1] == "FLOCK", fields[5].hasSuffix(":\(status.st_ino)") else { continue }
            return Int32(fields[4])
        }
        return nil
    }
}
