import CSQLite
import GRDB
import Glibc
import Model

/// What only a database of SQLite has: its file, its log, and work on them under the write lock.
extension Database {
    /// Opens the database. Creates the file and its folder if they are missing. Blocks, so call it while a process
    /// starts.
    ///
    /// - Parameters:
    ///   - schema: the schema of this program.
    ///   - niceness: the niceness of the writer thread; a value below zero takes effect where the system allows it.
    ///   - maximumBatchTime: the time after which a batch of writes accepts no further entries. Tests set it so that
    ///     their batches do not depend on the speed of the machine.
    /// - Throws: ``StorageError``; `busy` when the write lock is not free within five seconds.
    package static func open(
        path: String, schema: Schema, niceness: Int32 = 0, maximumBatchTime: Duration = .milliseconds(5)
    ) throws -> Database {
        Database(
            engine: try SQLiteEngine(path: path), schema: schema, niceness: niceness,
            maximumBatchTime: maximumBatchTime)
    }

    /// The engine, of which only SQLite's is used outside tests.
    var sqlite: SQLiteEngine {
        guard let engine = engine as? SQLiteEngine else { preconditionFailure("The database is not SQLite's") }
        return engine
    }

    /// The path of the file, with links resolved.
    package var path: String { sqlite.path }

    /// The size of the write-ahead log's file in bytes.
    package var logSize: Int64 {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int64(status.st_size) : 0
    }

    /// The version of the SQLite library, such as `3.40.1`.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    /// Runs `body` under the write lock, outside any transaction.
    ///
    /// - Returns: what `body` returns, and the time that it held the write lock.
    func maintain<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> (value: Value, held: Duration) {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<(value: Value, held: Duration), any Error>) in
            writes.enqueue(
                PendingWrite(
                    isolation: .exclusive, enqueuedAt: .now(),
                    perform: { transaction in
                        let connection = transaction.sqlite
                        let began = MonotonicInstant.now()
                        let value: Value
                        do {
                            value = try body(connection)
                        } catch let error as DatabaseError {
                            throw StorageError(error, on: connection.database)
                        }
                        let held = began.duration(to: .now())
                        return { continuation.resume(returning: (value, held)) }
                    },
                    fail: { continuation.resume(throwing: $0) }))
        }
    }
}

extension WriteTransaction {
    fileprivate var sqlite: SQLiteConnection {
        guard let connection = connection as? SQLiteConnection else {
            preconditionFailure("The connection is not SQLite's")
        }
        return connection
    }
}
