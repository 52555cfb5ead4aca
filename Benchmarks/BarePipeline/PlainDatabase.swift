import CSQLite
import Foundation

/// SQLite's C interface with no layer around it; used by one thread.
struct PlainDatabase: ~Copyable {
    private let connection: OpaquePointer

    private init(connection: OpaquePointer) {
        self.connection = connection
    }

    /// Opens the file of the pipeline and makes its table when it is missing.
    static func open(folder: String) throws -> PlainDatabase {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2("\(folder)/bare.sqlite", &opened, flags, nil) == SQLITE_OK, let opened else {
            throw PipelineError.sqlite("the database in \(folder) cannot be opened")
        }
        let database = PlainDatabase(connection: opened)
        csqlite_disable_checkpoint_on_close(opened)
        try database.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;
            CREATE TABLE IF NOT EXISTS jobs (
                id TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, payload TEXT NOT NULL, state TEXT NOT NULL,
                run INTEGER NOT NULL, worker TEXT, created_at INTEGER NOT NULL, finished_at INTEGER, result TEXT
            ) WITHOUT ROWID;
            """)
        guard try database.number("PRAGMA synchronous") == 2 else {
            throw PipelineError.sqlite("synchronous = FULL was not accepted")
        }
        return database
    }

    deinit {
        sqlite3_close_v2(connection)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw error }
    }

    func prepare(_ sql: String) throws -> PlainStatement {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            let statement
        else { throw error }
        return PlainStatement(handle: statement)
    }

    /// Rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes(connection)) }

    /// The first column of the first row.
    func number(_ sql: String) throws -> Int {
        let statement = try prepare(sql)
        guard sqlite3_step(statement.handle) == SQLITE_ROW else { throw error }
        return Int(sqlite3_column_int64(statement.handle, 0))
    }

    private var error: PipelineError { .sqlite(String(cString: sqlite3_errmsg(connection))) }
}

/// A prepared statement that is run again and again.
struct PlainStatement: ~Copyable {
    let handle: OpaquePointer

    deinit {
        sqlite3_finalize(handle)
    }

    func bind(_ index: Int32, _ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            _ = utf8.withMemoryRebound(to: CChar.self) {
                csqlite_bind_text(handle, index, $0.baseAddress, Int32($0.count))
            }
        }
    }

    func bind(_ index: Int32, _ number: Int64) {
        sqlite3_bind_int64(handle, index, number)
    }

    func run() throws {
        defer { sqlite3_reset(handle) }
        guard sqlite3_step(handle) == SQLITE_DONE else {
            throw PipelineError.sqlite(String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
        }
    }
}
