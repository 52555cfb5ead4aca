import CSQLite
import GRDB

/// A connection to SQLite: GRDB opens it, and prepares and caches its statements. All calls are on GRDB's queue of the
/// connection.
final class SQLiteConnection: SQLConnection {
    let database: GRDB.Database
    /// Prepared constant statements, by the identity of their ``ConstantSQL``.
    var constantStatements: [ObjectIdentifier: GRDB.Statement] = [:]
    /// The count of written pages when the last transaction began.
    private var pagesAtBegin: Int32 = 0

    init(_ database: GRDB.Database) {
        self.database = database
    }

    /// The open database file; `nil` if it was opened without ``ZeroingVFS``.
    var file: ZeroingVFS.File? { database.sqliteConnection.flatMap { ZeroingVFS.File(of: $0) } }

    // MARK: Transactions

    func begin() throws {
        pagesAtBegin = writtenPages
        do {
            try database.beginTransaction(.immediate)
        } catch let error as DatabaseError {
            throw StorageError(error, on: database)
        }
    }

    func commit() throws {
        // Not GRDB's: `step` also gets the system's error.
        try run("COMMIT")
    }

    func rollback() {
        try? database.rollback()
    }

    var isInsideTransaction: Bool { database.isInsideTransaction }

    /// Changed rows would not do: SQLite writes no page for a row that is set to the values that it has.
    var hasWritten: Bool { writtenPages != pagesAtBegin }

    /// How many pages this connection has written to the disk. The count may wrap.
    private var writtenPages: Int32 {
        var (count, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(database.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, 0)
        return count
    }
}
