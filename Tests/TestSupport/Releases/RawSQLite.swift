import CSQLite
import Foundation

/// A SQLite file without Backline's storage engine, for tests of the file's contents.
package final class RawSQLite {
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    private let connection: OpaquePointer

    /// Opens the file at `path`, creating it if it is missing.
    package init(path: String) throws {
        var connection: OpaquePointer?
        let code = sqlite3_open(path, &connection)
        guard code == SQLITE_OK, let connection else { throw Failure(description: "\(path) does not open: \(code)") }
        self.connection = connection
    }

    deinit {
        sqlite3_close(connection)
    }

    /// Runs the statements of a script.
    package func run(_ script: String) throws {
        var message: UnsafeMutablePointer<CChar>?
        defer { sqlite3_free(message) }
        guard sqlite3_exec(connection, script, nil, nil, &message) == SQLITE_OK else {
            throw Failure(description: message.map { String(cString: $0) } ?? "unknown")
        }
    }

    /// The rows of a query, each value as SQLite writes it as text; `nil` for NULL.
    package func rows(_ query: String) throws -> [[String?]] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(description: "\(String(cString: sqlite3_errmsg(connection))): \(query)")
        }
        defer { sqlite3_finalize(statement) }
        var rows: [[String?]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) }
                })
        }
        return rows
    }

    /// The names of the tables, without SQLite's own.
    package func tables() throws -> [String] {
        try rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
            .compactMap { $0[0] }
    }

    package func columns(of table: String) throws -> [String] {
        try rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid").compactMap { $0[0] }
    }

    /// Every row of a table as literals, sorted.
    package func contents(of table: String, columns: [String]) throws -> [String] {
        let values = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ', ' || ")
        return try rows("SELECT \(values) FROM \"\(table)\"").compactMap { $0[0] }.sorted()
    }
}
