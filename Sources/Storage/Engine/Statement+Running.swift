import CSQLite
import GRDB

/// Running a statement: its values are bound and its answer is read with SQLite's own calls.
///
/// GRDB prepares and caches the statements; its general bindings and rows cost several times what
/// a queue's short statements do.
extension GRDB.Database {
    /// Runs a statement and copies its answer out of SQLite's buffers.
    func backlineRows(_ sql: SQL) throws -> [Row] {
        try run(sql) { statement, handle in
            var rows: [Row] = []
            let columns = statement.columnNames
            while try step(handle) {
                rows.append(Row(columns: columns, values: columns.indices.map { handle.value(at: Int32($0)) }))
            }
            return rows
        }
    }

    /// Runs a statement to its end; returns the number of rows it changed.
    func backlineExecute(_ sql: SQL) throws -> Int {
        try run(sql) { _, handle in
            while try step(handle) {}
            return changesCount
        }
    }

    private func run<Value>(_ sql: SQL, _ body: (GRDB.Statement, OpaquePointer) throws -> Value) throws -> Value {
        let statement: GRDB.Statement
        do {
            statement = try cachedStatement(sql: sql.text)
        } catch let error as DatabaseError {
            throw StorageError(error)
        }
        let handle = statement.sqliteStatement
        // Its own errors are those of the last step, which has been reported.
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (index, value) in sql.values.enumerated() {
            let code = handle.bind(value, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw StorageError(code: code, connection: sqliteConnection) }
        }
        return try body(statement, handle)
    }

    /// Whether there is a row.
    private func step(_ handle: OpaquePointer) throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            throw StorageError(code: sqlite3_extended_errcode(sqliteConnection), connection: sqliteConnection)
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
                    // An empty text has no address, which SQLite would take for NULL.
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
