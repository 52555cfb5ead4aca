import Foundation
import GRDB

/// A consistent view of the database, valid within a `read` or `write` closure.
package protocol SQLReader {
    /// All rows of the result.
    func rows(_ sql: SQL) throws -> [Row]

    /// Calls `body` with each row of the result as SQLite finds it, so that only one row is in memory.
    ///
    /// - Parameter body: returns whether to continue. It may run other statements, but must not change rows that the
    ///   loop has not reached.
    func forEachRow(_ sql: SQL, _ body: (Row) throws -> RowLoop) throws
}

/// Whether a loop over rows continues.
package enum RowLoop: Sendable {
    case `continue`, stop
}

extension SQLReader {
    /// The first row of the result; `nil` for an empty result.
    package func row(_ sql: SQL) throws -> Row? {
        try rows(sql).first
    }

    /// The values that `make` returns for the rows of the result. Only one row is in memory at a time.
    package func map<Value>(_ sql: SQL, _ make: (Row) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        try forEachRow(sql) { row in
            values.append(try make(row))
            return .continue
        }
        return values
    }
}

/// A snapshot for reading: it sees no write that commits after it began.
package struct ReadTransaction: SQLReader {
    let connection: GRDB.Database

    package func rows(_ sql: SQL) throws -> [Row] {
        try connection.backlineRows(sql)
    }

    package func forEachRow(_ sql: SQL, _ body: (Row) throws -> RowLoop) throws {
        try connection.backlineForEachRow(sql, body)
    }

    /// Calls `body` with the first column of each row, an integer that is not NULL. No ``Row`` is made, which would
    /// take most of the time of a walk along an index.
    ///
    /// - Parameter body: returns whether to continue.
    package func forEachInteger(_ sql: SQL, _ body: (Int64) throws -> RowLoop) throws {
        try connection.backlineForEachInteger(sql, body)
    }

    /// The first rows of the result, up to the row with which their texts and blobs reach `maximumBytes`.
    package func rows(_ sql: SQL, maximumBytes: Int) throws -> (rows: [Row], isComplete: Bool) {
        try connection.backlineRows(sql, maximumBytes: maximumBytes)
    }
}
