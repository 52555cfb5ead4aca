import Foundation
import GRDB

/// One consistent view of the database, for the length of a `read` or `write` closure.
package protocol SQLReader {
    /// All rows of the answer.
    func rows(_ sql: SQL) throws -> [Row]

    /// Calls `body` with one row of the answer after the other, as they are found, so that an answer of any length
    /// takes the memory of one row.
    ///
    /// - Parameter body: says whether to go on. It may run other statements, but change no row that is still to come.
    func forEachRow(_ sql: SQL, _ body: (Row) throws -> RowLoop) throws
}

/// Whether a loop over rows goes on.
package enum RowLoop: Sendable {
    case goOn, stop
}

extension SQLReader {
    /// The first row of the answer, if there is one.
    package func row(_ sql: SQL) throws -> Row? {
        try rows(sql).first
    }

    /// What is made of each row of the answer, without the rows themselves in memory.
    package func map<Value>(_ sql: SQL, _ make: (Row) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        try forEachRow(sql) { row in
            values.append(try make(row))
            return .goOn
        }
        return values
    }
}

/// A snapshot for reading; it sees no write that commits after it began.
package struct ReadTransaction: SQLReader {
    let connection: GRDB.Database

    package func rows(_ sql: SQL) throws -> [Row] {
        try connection.backlineRows(sql)
    }

    package func forEachRow(_ sql: SQL, _ body: (Row) throws -> RowLoop) throws {
        try connection.backlineForEachRow(sql, body)
    }

    /// The first rows of the answer, up to the one with which their texts have `maximumBytes`.
    package func rows(_ sql: SQL, maximumBytes: Int) throws -> (rows: [Row], isComplete: Bool) {
        try connection.backlineRows(sql, maximumBytes: maximumBytes)
    }
}
