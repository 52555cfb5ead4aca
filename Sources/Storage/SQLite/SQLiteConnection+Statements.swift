import CSQLite
import GRDB
import Glibc

/// Runs statements: binds values and reads results with SQLite's own calls. GRDB's general bindings and rows cost
/// several times as much as a short statement of the queue.
extension SQLiteConnection {
    // MARK: Reading

    func rows(_ sql: SQL) throws -> [Row] {
        try rows(of: statement(sql.text), sql.values, log: sql.postgreSQL ?? sql.text)
    }

    func rows(_ sql: ConstantSQL, _ values: [SQLValue]) throws -> [Row] {
        try rows(of: statement(sql, values.count), values, log: sql.text)
    }

    private func rows(of statement: GRDB.Statement, _ values: [SQLValue], log text: String) throws -> [Row] {
        try run(statement, values, log: text) { handle in
            var rows: [Row] = []
            let columns = statement.columnNames
            while try step(handle) {
                rows.append(Row(columns: columns, values: columns.indices.map { handle.value(at: Int32($0)) }))
            }
            return rows
        }
    }

    func rows(_ sql: SQL, maximumBytes: Int) throws -> (rows: [Row], isComplete: Bool) {
        let statement = try statement(sql.text)
        return try run(statement, sql.values, log: sql.postgreSQL ?? sql.text) { handle in
            var rows: [Row] = []
            var bytes = 0
            let columns = statement.columnNames
            while try step(handle) {
                rows.append(Row(columns: columns, values: columns.indices.map { handle.value(at: Int32($0)) }))
                bytes += columns.indices.reduce(0) { $0 + handle.byteCount(at: Int32($1)) }
                if bytes >= maximumBytes { return (rows, false) }
            }
            return (rows, true)
        }
    }

    func forEachRow(_ sql: SQL, _ body: (Row) throws -> RowLoop) throws {
        let statement = try statement(sql.text)
        try run(statement, sql.values, log: sql.postgreSQL ?? sql.text) { handle in
            let columns = statement.columnNames
            while try step(handle) {
                let row = Row(columns: columns, values: columns.indices.map { handle.value(at: Int32($0)) })
                if try body(row) == .stop { return }
            }
        }
    }

    func forEachInteger(_ sql: SQL, _ body: (Int64) throws -> RowLoop) throws {
        try run(statement(sql.text), sql.values, log: sql.postgreSQL ?? sql.text) { handle in
            while try step(handle) {
                if try body(sqlite3_column_int64(handle, 0)) == .stop { return }
            }
        }
    }

    // MARK: Writing

    func execute(_ sql: SQL) throws -> Int {
        try execute(statement(sql.text), sql.values, log: sql.postgreSQL ?? sql.text)
    }

    func execute(_ sql: ConstantSQL, _ values: [SQLValue]) throws -> Int {
        try execute(statement(sql, values.count), values, log: sql.text)
    }

    private func execute(_ statement: GRDB.Statement, _ values: [SQLValue], log text: String) throws -> Int {
        try run(statement, values, log: text) { handle in
            while try step(handle) {}
            return database.changesCount
        }
    }

    func run(_ sql: SQL) throws {
        _ = try execute(sql)
    }

    func run(_ sql: ConstantSQL, _ values: [SQLValue]) throws {
        _ = try execute(sql, values)
    }

    // MARK: Prepared statements

    /// The statement of GRDB's cache, which keeps it while the connection is open; a new one while a loop over the rows
    /// of the cached one runs.
    private func statement(_ text: String) throws -> GRDB.Statement {
        do {
            let cached = try database.cachedStatement(sql: text)
            return sqlite3_stmt_busy(cached.sqliteStatement) == 0 ? cached : try database.makeStatement(sql: text)
        } catch let error as DatabaseError {
            throw StorageError(error, on: database)
        }
    }

    private func statement(_ sql: ConstantSQL, _ valueCount: Int) throws -> GRDB.Statement {
        let identity = ObjectIdentifier(sql)
        if let statement = constantStatements[identity] { return statement }
        let statement = try statement(sql.text)
        precondition(
            sqlite3_bind_parameter_count(statement.sqliteStatement) == Int32(valueCount),
            "Not one value for each ? of: \(sql.text)")
        constantStatements[identity] = statement
        return statement
    }

    /// - Parameter text: the statement's text for ``StatementLog``.
    private func run<Value>(
        _ statement: GRDB.Statement, _ values: [SQLValue], log text: String, _ body: (OpaquePointer) throws -> Value
    ) throws -> Value {
        if let log = StatementLog.current { log.record(text, values) }
        let handle = statement.sqliteStatement
        // The result repeats the error of the last step, which has been reported. The bindings may stay: they are
        // copies, and the next run binds every parameter.
        defer { sqlite3_reset(handle) }
        var index: Int32 = 0
        for value in values {
            index += 1
            let code = handle.bind(value, at: index)
            guard code == SQLITE_OK else { throw StorageError(code: code, connection: database.sqliteConnection) }
        }
        return try body(handle)
    }

    /// - Returns: whether there is a row.
    private func step(_ handle: OpaquePointer) throws -> Bool {
        // SQLite stores `errno` for some failures, but not for those of a commit.
        errno = 0
        let result = sqlite3_step(handle)
        let systemError = errno
        switch result {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            throw StorageError(
                code: sqlite3_extended_errcode(database.sqliteConnection), connection: database.sqliteConnection,
                systemError: systemError)
        }
    }
}

/// A prepared statement.
extension OpaquePointer {
    fileprivate func bind(_ value: SQLValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(self, index)
        case .integer(let value): return sqlite3_bind_int64(self, index, value)
        case .real(let value): return sqlite3_bind_double(self, index, value)
        case .text(var value):
            return value.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) { bytes in
                    // An empty text has no address. SQLite would bind NULL.
                    guard let address = bytes.baseAddress else { return csqlite_bind_text(self, index, "", 0) }
                    return csqlite_bind_text(self, index, address, Int32(bytes.count))
                }
            }
        case .blob(let value):
            return value.withUnsafeBytes { bytes in
                guard let address = bytes.baseAddress else { return sqlite3_bind_zeroblob(self, index, 0) }
                return csqlite_bind_blob(self, index, address, Int32(bytes.count))
            }
        }
    }

    /// The size of a text or blob; 0 for numbers.
    fileprivate func byteCount(at column: Int32) -> Int {
        let type = sqlite3_column_type(self, column)
        return type == SQLITE_TEXT || type == SQLITE_BLOB ? Int(sqlite3_column_bytes(self, column)) : 0
    }

    fileprivate func value(at column: Int32) -> SQLValue {
        switch sqlite3_column_type(self, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(self, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(self, column))
        case SQLITE_TEXT:
            guard let text = sqlite3_column_text(self, column) else { return .text("") }
            let count = Int(sqlite3_column_bytes(self, column))
            return .text(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            guard let bytes = sqlite3_column_blob(self, column) else { return .blob([]) }
            return .blob(Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(self, column)))))
        default: return .null
        }
    }
}
