import CSQLite
import Foundation
import GRDB
import Glibc
import Model

/// The shared database: snapshots for reading, one queue for writing.
///
/// Several processes open the same file. Every write of each of them, the opening included,
/// happens under the lock file beside it (``WriteLock``); only the gateway checkpoints.
package final class Database: Sendable {
    package let path: String
    private let pool: DatabasePool
    private let writes: WriteQueue
    private let health: StorageHealth

    /// The niceness of a writer that all others wait for. The gateway's is one: everything that is submitted goes
    /// through it, and all processes wait while it holds the lock, which where processors are short it had to hold
    /// twice as long as it used one. Of the workers' each does best when it waits for the others: with the same
    /// right they commit more often, and less at a time.
    package static let preferredNiceness: Int32 = -5

    /// Opens the database, and makes the file and its folder when they are missing. It blocks:
    /// call it while a process starts.
    ///
    /// - Parameter niceness: of the thread that writes; below zero it gets a processor before others, if the system
    ///   allows it.
    /// - Throws: ``StorageError``; `busy` when the write lock is not free within five seconds.
    package static func open(path: String, niceness: Int32 = 0) throws -> Database {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StorageError.cannotOpen(path: path, reason: "the folder \(folder) cannot be made (\(error))")
        }
        let lock = try WriteLock(databasePath: path)
        let deadline = MonotonicInstant.now().advanced(by: WriteQueueState.lockTimeout)
        while !lock.tryLock() {
            guard MonotonicInstant.now() < deadline else {
                throw StorageError.busy(holder: WriteLock.holder(path: lock.path))
            }
            usleep(2_000)
        }
        let pool: DatabasePool
        do {
            pool = try openPool(path: path)
        } catch let error as DatabaseError {
            throw StorageError.opening(path, error)
        }
        lock.unlock()
        return Database(path: path, pool: pool, lock: lock, niceness: niceness)
    }

    private init(path: String, pool: DatabasePool, lock: consuming WriteLock, niceness: Int32) {
        self.path = path
        self.pool = pool
        health = StorageHealth(path: path)
        writes = WriteQueue(pool: pool, lock: lock, health: health, niceness: niceness)
    }

    /// Done once a process; SQLite refuses it after the first connection, which does no harm.
    private static let memoryStatisticsAreOff = csqlite_disable_memory_statistics() == SQLITE_OK

    private static func openPool(path: String) throws -> DatabasePool {
        _ = memoryStatisticsAreOff
        try CleanFiles.use(path: path)
        var configuration = Configuration()
        configuration.maximumReaderCount = 4
        configuration.busyMode = .timeout(5)
        configuration.label = "backline"
        configuration.prepareDatabase { connection in
            try connection.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            // Statement journals of savepoints and RETURNING would be files in /var/tmp otherwise.
            try connection.execute(sql: "PRAGMA temp_store = MEMORY")
            // What is deleted is overwritten; CleanFiles does the rest.
            try connection.execute(sql: "PRAGMA secure_delete = ON")
            csqlite_disable_checkpoint_on_close(connection.sqliteConnection)
        }
        // Made here first, so that the log beside it inherits a mode that keeps others out.
        Glibc.close(Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { connection in
            // GRDB sets NORMAL after the hook above has run.
            try connection.execute(sql: "PRAGMA synchronous = FULL")
            // 16 MiB: a large batch must not spill pages to the log twice.
            try connection.execute(sql: "PRAGMA cache_size = -16384")
            let level = try Int.fetchOne(connection, sql: "PRAGMA synchronous")
            precondition(level == 2, "SQLite did not accept synchronous = FULL")
        }
        return pool
    }

    // MARK: Reading

    /// Runs `body` on a snapshot, off the cooperative pool.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        // Not GRDB's own async read: that gives its connection back on the cooperative pool, where a
        // task that closes the database would wait for it without end.
        try await withCheckedThrowingContinuation { continuation in
            pool.asyncRead { [path, health] connection in
                continuation.resume(
                    with: Result {
                        let reader = try connection.mapError { error in
                            (error as? DatabaseError).map { StorageError.opening(path, $0) } ?? error
                        }.get()
                        do {
                            return try body(ReadTransaction(connection: reader))
                        } catch {
                            let error = (error as? DatabaseError).map { StorageError($0, on: reader) } ?? error
                            if case StorageError.corrupt = error { health.failed(error) }
                            throw error
                        }
                    })
            }
        }
    }

    // MARK: Writing

    /// Gives every batch of writes an attachment, in the place of another of its type; called before there are writes
    /// that need it.
    package func attach<Attachment: BatchAttachment>(
        _ type: Attachment.Type, make: @escaping @Sendable () -> Attachment
    ) {
        writes.attach(type, make: make)
    }

    /// Makes one write, durable when this returns. A failure undoes this write alone.
    ///
    /// `body` may run twice, when the transaction it shared was lost: it must change nothing but
    /// the database.
    /// - Throws: what `body` throws, or ``StorageError``.
    @discardableResult
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueueWrite(body) { continuation.resume(with: $0) }
        }
    }

    /// Makes one write; `completion` runs on the writer's thread once it is durable or has failed,
    /// and must be quick.
    ///
    /// - Parameter isPlain: no savepoint is set for it (see ``PendingWrite/Isolation/plain``).
    package func enqueueWrite<Value: Sendable>(
        isPlain: Bool = false,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        writes.enqueue(
            PendingWrite(
                isolation: isPlain ? .plain : .savepoint, enqueuedAt: .now(),
                perform: { transaction in
                    let value = try body(transaction)
                    return { completion(.success(value)) }
                },
                fail: { [health] error in
                    health.failed(error)
                    completion(.failure(error))
                }))
    }

    /// Makes one write in a transaction that it shares with no other, durable when this returns.
    ///
    /// - Returns: what `body` returns, and for how long the write lock was held for it.
    /// - Throws: what `body` throws, or ``StorageError``.
    package func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> (value: Value, held: Duration) {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<(value: Value, held: Duration), any Error>) in
            writes.enqueue(
                PendingWrite(
                    isolation: .alone, enqueuedAt: .now(),
                    perform: { transaction in
                        let began = MonotonicInstant.now()
                        let value = try body(transaction)
                        // Called when it is committed.
                        return { continuation.resume(returning: (value, began.duration(to: .now()))) }
                    },
                    fail: { [health] error in
                        health.failed(error)
                        continuation.resume(throwing: error)
                    }))
        }
    }

    /// Calls `handler` with the ids of the people whom each transaction of this process concerns
    /// (``WriteTransaction/noteChange(of:topic:)``), when it is durable; on the writer's thread, so it must be quick.
    package func onChange(_ handler: @escaping @Sendable (Set<String>) -> Void) {
        writes.onChange(handler)
    }

    /// What keeps the database from being used at present: damage, another process that has held the lock for
    /// more than five seconds, or what the last write failed of.
    package var blockage: StorageError? { writes.blockingProcess ?? health.trouble }

    /// Writes a few bytes when the last write failed for a reason that may pass, so that ``blockage`` ends with
    /// the reason even when nobody else writes.
    package func probeWriting() async {
        guard health.trouble?.mayPass == true else { return }
        // What it throws is what blockage tells.
        _ = try? await write { try $0.execute("UPDATE change_sequence SET value = value") }
    }

    /// Has the writer's thread call `answer` soon, if it does not hang. Waiting for another process is not hanging.
    package func probeWriter(_ answer: @escaping @Sendable () -> Void) { writes.probe(answer) }

    package var writeStatistics: WriteStatistics { writes.statistics }

    // MARK: Maintenance

    /// Moves the pages of the write-ahead log into the database file. For the gateway alone.
    ///
    /// - Parameter truncates: also shortens the log to nothing, when no reader needs it.
    /// - Returns: whether all of that was done; `false` when a reader was in the way.
    @discardableResult
    package func checkpoint(truncates: Bool = false) async throws -> Bool {
        try await maintain { try $0.moveLog(truncates: truncates) }
    }

    /// Runs `body` under the write lock, outside any transaction.
    func maintain<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
            writes.enqueue(
                PendingWrite(
                    isolation: .exclusive, enqueuedAt: .now(),
                    perform: { transaction in
                        let value = try body(transaction)
                        return { continuation.resume(returning: value) }
                    },
                    fail: { continuation.resume(throwing: $0) }))
        }
    }

    /// The size of the write-ahead log in bytes.
    package var logSize: Int64 {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Finishes the writes that wait, then closes the file. It blocks.
    package func close() {
        if writes.close() { try? pool.close() }
    }

    /// The version of the SQLite library, such as `3.40.1`.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
