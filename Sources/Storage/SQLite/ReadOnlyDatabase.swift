import CSQLite
import Foundation
import GRDB

/// The database opened for reading only, for the command line beside a running installation.
///
/// It writes nothing, not even when the file is opened or closed, and takes no write lock. So it works while another
/// process holds that lock.
package final class ReadOnlyDatabase: Sendable {
    package let path: String
    private let queue: DatabaseQueue

    /// Opens an existing database. Blocks while a few pages are read.
    ///
    /// - Throws: ``StorageError``.
    package static func open(path: String) throws -> ReadOnlyDatabase {
        guard access(path, R_OK) == 0 else {
            throw StorageError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        // `VACUUM INTO` writes a copy of the database.
        try ZeroingVFS.use(path: path)
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        configuration.label = "backline-reader"
        configuration.prepareDatabase { connection in
            // Otherwise a sort would use a file in /var/tmp, which may be small in a container.
            try connection.execute(sql: "PRAGMA temp_store = MEMORY")
            csqlite_disable_checkpoint_on_close(connection.sqliteConnection)
        }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            // SQLite reads the file only when a statement runs.
            _ = try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM sqlite_master") }
            return ReadOnlyDatabase(path: path, queue: queue)
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: throw StorageError(error)
            default: throw StorageError.cannotOpen(path: path, reason: error.message ?? "\(error.resultCode)")
            }
        }
    }

    private init(path: String, queue: DatabaseQueue) {
        self.path = path
        self.queue = queue
    }

    /// Runs `body` on a snapshot, on a thread outside the cooperative pool.
    ///
    /// - Throws: what `body` throws, or ``StorageError``.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        do {
            return try await queue.read { try body(ReadTransaction(connection: SQLiteConnection($0))) }
        } catch let error as DatabaseError {
            throw StorageError(error)
        }
    }

    /// Runs a statement that reads this database and must not run in a transaction.
    func run(_ sql: SQL) async throws {
        do {
            try await queue.writeWithoutTransaction { try SQLiteConnection($0).run(sql) }
        } catch let error as DatabaseError {
            throw StorageError(error)
        }
    }

    package func close() {
        try? queue.close()
    }
}
