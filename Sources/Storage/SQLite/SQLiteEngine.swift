import CSQLite
import Foundation
import GRDB
import Glibc
import Model
import Synchronization

/// The database as a file of SQLite.
///
/// Several processes open the same file. Each of them takes the lock file beside it (``WriteLock``) for every write and
/// for opening the database. Only the gateway checkpoints.
final class SQLiteEngine: StorageEngine {
    let path: String
    private let pool: DatabasePool
    private let writeLock: WriteLock
    /// Opened with the first checkpoint, since only the gateway makes them.
    let checkpoints = Mutex<ConcurrentCheckpoints?>(nil)
    /// Held by the gateway, and by a command that migrates.
    private let gatewayLock = Mutex<GatewayLock?>(nil)

    /// A disk with less free space than this, in bytes, counts as full, although small writes may still fit into the
    /// log.
    private static let leastRoom: UInt = 1 << 20

    /// Creates the file and its folder if they are missing. Blocks.
    ///
    /// - Throws: ``StorageError``; `busy` when the write lock is not free within five seconds.
    init(path: String) throws {
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
        do {
            pool = try Self.openPool(path: path)
        } catch let error as DatabaseError {
            throw StorageError.opening(path, error)
        }
        lock.unlock()
        self.path = path
        writeLock = lock
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

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        // GRDB's own async read is not used, because it returns its connection on the cooperative pool, where a task
        // that closes the database would wait for it forever.
        try await withCheckedThrowingContinuation { continuation in
            pool.asyncRead { [path] connection in
                continuation.resume(
                    with: Result {
                        let reader = try connection.mapError { error in
                            (error as? DatabaseError).map { StorageError.opening(path, $0) } ?? error
                        }.get()
                        return try body(SQLiteConnection(reader))
                    })
            }
        }
    }

    func withWriter<Value>(_ body: (any SQLConnection) -> Value) -> Value {
        pool.writeWithoutTransaction { body(SQLiteConnection($0)) }
    }

    // MARK: The write lock

    func tryLock() -> Bool { writeLock.tryLock() }

    func lock() throws { try writeLock.lock() }

    func unlock() { writeLock.unlock() }

    var lockHolder: Int32? { WriteLock.holder(path: writeLock.path) }

    // MARK: The process

    func lockForGateway(timeout: Duration) async throws {
        guard gatewayLock.withLock({ $0 == nil }) else { return }
        let lock = try await GatewayLock.take(databasePath: path, timeout: timeout)
        gatewayLock.withLock { $0 = lock }
    }

    var hasRoom: Bool {
        var space = statvfs()
        return statvfs(path, &space) != 0 || space.f_bavail * space.f_frsize >= Self.leastRoom
    }

    func close() {
        checkpoints.withLock { $0 }?.close()
        try? pool.close()
        gatewayLock.withLock { $0 = nil }
    }
}
