import Foundation
import GRDB

/// One consistent view of the database, for the length of a `read` or `write` closure.
package protocol SQLReader {
    /// All rows of the answer.
    func rows(_ sql: SQL) throws -> [Row]
}

extension SQLReader {
    /// The first row of the answer, if there is one.
    package func row(_ sql: SQL) throws -> Row? {
        try rows(sql).first
    }
}

/// A snapshot for reading; it sees no write that commits after it began.
package struct ReadTransaction: SQLReader {
    let connection: GRDB.Database

    package func rows(_ sql: SQL) throws -> [Row] {
        try connection.backlineRows(sql)
    }

    /// The first rows of the answer, up to the one with which their texts have `maximumBytes`.
    package func rows(_ sql: SQL, maximumBytes: Int) throws -> (rows: [Row], isComplete: Bool) {
        try connection.backlineRows(sql, maximumBytes: maximumBytes)
    }
}
