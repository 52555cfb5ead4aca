import CSQLite
import Foundation
import GRDB
import Glibc
import Model
import Synchronization

/// The shared database: snapshots for reading, one queue for writing.
///
/// Several processes open the same file. Each of them takes the lock file beside it (``WriteLock``) for every write and
/// for opening the database. Only the gateway checkpoints.
package final class Database: Sendable {
    package let path: String
    private let pool: DatabasePool
    private let writes: WriteQueue
    private let health: StorageHealth
    /// Opened with the first checkpoint, since only the gateway makes them.
    let checkpoints = Mutex<ConcurrentCheckpoints?>(nil)
    /// Held by the gateway, and by a command that migrates.
    private let gatewayLock = Mutex<GatewayLock?>(nil)

    /// The niceness of the gateway's writer thread. All processes wait while it holds the lock; on a machine with few
    /// processors it held the lock twice as long as it ran. The writers of workers keep the normal niceness: with a
    /// higher priority they committed more often, with fewer entries at a time.
    package static let preferredNiceness: Int32 = -5

    /// Opens the database. Creates the file and its folder if they are missing. Blocks, so call it while a process
    /// starts.
    ///
    /// - Parameters:
    ///   - niceness: the niceness of the writer thread; a value below zero takes effect where the system allows it.
    ///   - maximumBatchTime: the time after which a batch of writes accepts no further entries. Tests set it so that
    ///     their batches do not depend on the speed of the machine.
    /// - Throws: ``StorageError``; `busy` when the write lock is not free within five seconds.
    package static func open(
        path: String, niceness: Int32 = 0, maximumBatchTime: Duration = .milliseconds(5)
    ) throws -> Database {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StorageError.cannotOpen(path: path, reason: "the folder \(folder) cannot be created (\(error))")
        }
        let path = DatabasePath.resolved(path)
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
        return Database(
            path: path, pool: pool, lock: lock, niceness: niceness, maximumBatchTime: maximumBatchTime)
    }

    private init(
        path: String, pool: DatabasePool, lock: consuming WriteLock, niceness: Int32, maximumBatchTime: Duration
    ) {
        self.path = path
        self.pool = pool
        health = StorageHealth(path: path)
        writes = WriteQueue(
            pool: pool, lock: lock, health: health, niceness: niceness, maximumBatchTime: maximumBatchTime)
    }

    /// Runs once per process. SQLite refuses this after the first connection, which does no harm.
    private static let memoryStatisticsAreOff = csqlite_disable_memory_statistics() == SQLITE_OK

    private static func openPool(path: String) throws -> DatabasePool {
        _ = memoryStatisticsAreOff
        try ZeroingVFS.use(path: path)
        var configuration = Configuration()
        configuration.maximumReaderCount = 4
        configuration.busyMode = .timeout(5)
        configuration.label = "backline"
        configuration.prepareDatabase { connection in
            try connection.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            // Otherwise the statement journals of savepoints and RETURNING would be files in /var/tmp.
            try connection.execute(sql: "PRAGMA temp_store = MEMORY")
            // Overwrites deleted rows in their pages. ZeroingVFS removes the copies of moved rows.
            try connection.execute(sql: "PRAGMA secure_delete = ON")
            // 8 MiB: half of the index of a large library, so that pages at other positions read it from memory.
            try connection.execute(sql: "PRAGMA cache_size = -8192")
            csqlite_disable_checkpoint_on_close(connection.sqliteConnection)
        }
        // Created here with a private mode, which SQLite copies to the log.
        let descriptor = DatabasePath.open(path, ownedAs: [DatabasePath.folder(of: path)])
        if descriptor >= 0 { Glibc.close(descriptor) }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { connection in
            // GRDB sets NORMAL after the hook above.
            try connection.execute(sql: "PRAGMA synchronous = FULL")
            // 16 MiB, so that a large batch does not write pages to the log twice.
            try connection.execute(sql: "PRAGMA cache_size = -16384")
            let level = try Int.fetchOne(connection, sql: "PRAGMA synchronous")
            precondition(level == 2, "SQLite did not accept synchronous = FULL")
        }
        return pool
    }

    // MARK: Reading

    /// Runs `body` on a snapshot, on a thread outside the cooperative pool.
    ///
    /// - Throws: what `body` throws, or ``StorageError``.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        // GRDB's own async read is not used, because it returns its connection on the cooperative pool, where a task
        // that closes the database would wait for it forever.
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

    /// Gives every batch of writes an attachment, in place of another of its type. Call it before the first write that
    /// needs the attachment.
    package func attach<Attachment: BatchAttachment>(
        _ type: Attachment.Type, make: @escaping @Sendable () -> Attachment
    ) {
        writes.attach(type, make: make)
    }

    /// Makes one write, which is durable when this returns. A failure rolls back this write alone.
    ///
    /// `body` runs a second time if the transaction that it shared was lost, so it must change nothing but the
    /// database.
    ///
    /// - Parameter isPlain: runs it without a savepoint (``PendingWrite/Isolation/plain``). For writes of many pages,
    ///   of which SQLite would keep copies until the savepoint's end.
    /// - Throws: what `body` throws, or ``StorageError``.
    @discardableResult
    package func write<Value: Sendable>(
        isPlain: Bool = false, _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueueWrite(isPlain: isPlain, body) { continuation.resume(with: $0) }
        }
    }

    /// Makes one write. `completion` runs on the writer's thread once the write is durable or has failed, and must be
    /// quick.
    ///
    /// - Parameter isPlain: runs it without a savepoint (``PendingWrite/Isolation/plain``).
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

    /// Makes one write in a transaction of its own, which is durable when this returns.
    ///
    /// - Returns: what `body` returns, and the time that the write lock was held for it.
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
                        // Called after the commit.
                        return { continuation.resume(returning: (value, began.duration(to: .now()))) }
                    },
                    fail: { [health] error in
                        health.failed(error)
                        continuation.resume(throwing: error)
                    }))
        }
    }

    /// Calls `handler` after each durable transaction of this process with the ids of the people whose rows it changed
    /// (``WriteTransaction/recordChange(of:topic:)``). It runs on the writer's thread and must be quick.
    package func onChange(_ handler: @escaping @Sendable (Set<String>) -> Void) {
        writes.onChange(of: nil, handler)
    }

    /// Like ``onChange(_:)``, for the people whose rows of one topic a transaction changed.
    package func onChange(of topic: ChangeTopic, _ handler: @escaping @Sendable (Set<String>) -> Void) {
        writes.onChange(of: topic, handler)
    }

    /// The reason why the database is currently unusable: damage, another process that has held the lock for more than
    /// five seconds, or the error of the last write. `nil` if it is usable.
    package var blockage: StorageError? { writes.blockingProcess ?? health.trouble }

    /// Writes a few bytes after a write failed for a temporary reason, so that ``blockage`` ends along with the reason
    /// even if nobody else writes.
    package func probeWriting() async {
        guard health.trouble?.mayPass == true else { return }
        // `blockage` reports the error.
        try? await write { try $0.run("UPDATE change_sequence SET value = value") }
    }

    /// Calls `answer` on the writer's thread soon, unless that thread hangs. A wait for another process's lock does not
    /// count as hanging.
    package func probeWriter(_ answer: @escaping @Sendable () -> Void) { writes.probe(answer) }

    package var writeStatistics: WriteStatistics { writes.statistics }

    // MARK: Maintenance

    /// Runs `body` under the write lock, outside any transaction.
    ///
    /// - Returns: what `body` returns, and the time that it held the write lock.
    func maintain<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> (value: Value, held: Duration) {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<(value: Value, held: Duration), any Error>) in
            writes.enqueue(
                PendingWrite(
                    isolation: .exclusive, enqueuedAt: .now(),
                    perform: { transaction in
                        let began = MonotonicInstant.now()
                        let value = try body(transaction)
                        let held = began.duration(to: .now())
                        return { continuation.resume(returning: (value, held)) }
                    },
                    fail: { continuation.resume(throwing: $0) }))
        }
    }

    /// The size of the write-ahead log's file in bytes.
    package var logSize: Int64 {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Finishes the waiting writes and closes the file. Blocks until then.
    package func close() {
        guard writes.close() else { return }
        checkpoints.withLock { $0 }?.close()
        try? pool.close()
        gatewayLock.withLock { $0 = nil }
    }

    /// Makes this process the one gateway of the database until ``close()`` or its end. Call it before anything that
    /// only the gateway may do: migrating, releasing runs, checkpoints.
    ///
    /// - Parameter timeout: how long to wait for a command that migrates, or for a gateway that is shutting down.
    /// - Throws: ``GatewayRunning`` when another process is the gateway; ``StorageError``.
    package func lockForGateway(timeout: Duration = GatewayLock.timeout) async throws {
        guard gatewayLock.withLock({ $0 == nil }) else { return }
        let lock = try await GatewayLock.take(databasePath: path, timeout: timeout)
        gatewayLock.withLock { $0 = lock }
    }

    /// The version of the SQLite library, such as `3.40.1`.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
