/// A consistent view of the database, valid within a `read` or `write` closure.
package protocol SQLReader {
    /// All rows of the result.
    func rows(_ sql: SQL) throws -> [Row]

    /// Calls `body` with each row of the result as the database finds it, so that not all of them are in memory.
    ///
    /// - Parameter body: returns whether to continue. It must not change rows that the loop has not reached, and runs no
    ///   other statement: only SQLite could.
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
    let connection: any SQLConnection

    package func rows(_ sql: SQL) throws -> [Row] {
        try connection.rows(sql)
    }

    package func forEachRow(_ sql: SQL, _ body: (Row) throws -> RowLoop) throws {
        try connection.forEachRow(sql, body)
    }

    /// Calls `body` with the first column of each row, an integer that is not NULL. No ``Row`` is made, which would
    /// take most of the time of a walk along an index.
    ///
    /// - Parameter body: returns whether to continue.
    package func forEachInteger(_ sql: SQL, _ body: (Int64) throws -> RowLoop) throws {
        try connection.forEachInteger(sql, body)
    }

    /// The first rows of the result, up to the row with which their texts and blobs reach `maximumBytes`.
    package func rows(_ sql: SQL, maximumBytes: Int) throws -> (rows: [Row], isComplete: Bool) {
        try connection.rows(sql, maximumBytes: maximumBytes)
    }
}
