import CSQLite
import GRDB
import Synchronization

/// Checkpoints of the write-ahead log that run beside the writers of all processes, without the write lock.
///
/// SQLite up to 3.51.2 can lose pages when a writer resets the log while another connection checkpoints ("the WAL-reset
/// bug", sqlite.org/wal.html). Writers do not reset a log that has a reader. So one connection reads while another
/// checkpoints. The reader begins under the write lock and while some pages exist only in the log: otherwise SQLite
/// would let it read the database file only.
final class ConcurrentCheckpoints: Sendable {
    private let reader: DatabaseQueue
    private let checkpointer: DatabaseQueue
    private let isUnderWay = Mutex(false)

    /// Blocks while the file is opened.
    init(path: String) throws {
        reader = try Self.open(path, "backline-log-reader")
        checkpointer = try Self.open(path, "backline-checkpoint")
    }

    private static func open(_ path: String, _ label: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.label = label
        // The reader's transaction outlives the call that begins it.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { connection in
            try connection.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            csqlite_disable_checkpoint_on_close(connection.sqliteConnection)
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Keeps writers from resetting the log until ``run()`` has ended. Call it under the write lock.
    ///
    /// - Parameter writer: the connection of the lock's holder.
    /// - Returns: `false`, without any effect, if fewer than `minimum` pages exist only in the log, or if a checkpoint
    ///   is under way.
    func begin(atLeast minimum: Int, on writer: SQLiteConnection) throws -> Bool {
        guard let file = writer.file, try file.pagesInLogAlone() >= max(minimum, 1) else { return false }
        let isFirst = isUnderWay.withLock { value in
            defer { value = true }
            return !value
        }
        guard isFirst else { return false }
        do {
            try reader.writeWithoutTransaction { connection in
                try connection.beginTransaction(.deferred)
                _ = try Int.fetchOne(connection, sql: "SELECT COUNT(*) FROM sqlite_schema")
            }
        } catch {
            end()
            throw error
        }
        return true
    }

    /// Moves the pages that were in the log when ``begin(atLeast:on:)`` was called into the file, and syncs it. Must be
    /// called once after each such call that returned `true`.
    ///
    /// - Returns: whether a page was moved; `false` if a reader needs all of them to stay.
    @discardableResult
    func run() async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            checkpointer.asyncWriteWithoutTransaction { [self] database in
                let result = Result {
                    let connection = SQLiteConnection(database)
                    let file = connection.file
                    let before = try file?.pagesMovedFromLog()
                    _ = try connection.rows(.onlySQLite("PRAGMA wal_checkpoint(PASSIVE)"))
                    guard try file?.pagesMovedFromLog() != before else { return false }
                    // SQLite syncs the file only once it has all pages. Syncing here makes the rest take less time.
                    try file?.sync()
                    return true
                }
                end()
                continuation.resume(with: result)
            }
        }
    }

    private func end() {
        reader.writeWithoutTransaction { connection in
            if connection.isInsideTransaction { try? connection.rollback() }
        }
        isUnderWay.withLock { $0 = false }
    }

    /// Returns once no checkpoint is under way. Another one may begin at any time.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            checkpointer.asyncWriteWithoutTransaction { _ in continuation.resume() }
        }
    }

    /// Blocks until a checkpoint that is under way has ended.
    func close() {
        try? checkpointer.close()
        try? reader.close()
    }
}
