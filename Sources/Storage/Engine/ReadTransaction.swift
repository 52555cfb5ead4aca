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
}

extension GRDB.Database {
    /// Runs a statement and copies its answer out of SQLite's buffers.
    func backlineRows(_ sql: SQL) throws -> [Row] {
        do {
            let statement = try cachedStatement(sql: sql.text)
            statement.setUncheckedArguments(StatementArguments(sql.values))
            var rows: [Row] = []
            let columns = statement.columnNames
            let cursor = try GRDB.Row.fetchCursor(statement)
            while let row = try cursor.next() {
                rows.append(Row(columns: columns, values: (0..<columns.count).map { SQLValue(row[$0] as DatabaseValue) }))
            }
            return rows
        } catch let error as DatabaseError {
            throw StorageError(error)
        }
    }

    /// Runs a statement that answers nothing; returns the number of rows it changed.
    func backlineExecute(_ sql: SQL) throws -> Int {
        do {
            let statement = try cachedStatement(sql: sql.text)
            statement.setUncheckedArguments(StatementArguments(sql.values))
            try statement.execute()
            return changesCount
        } catch let error as DatabaseError {
            throw StorageError(error)
        }
    }
}

extension SQLValue: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .blob(let value): Data(value).databaseValue
        }
    }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> SQLValue? {
        SQLValue(value)
    }

    init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let integer): self = .integer(integer)
        case .double(let real): self = .real(real)
        case .string(let text): self = .text(text)
        case .blob(let data): self = .blob(Array(data))
        }
    }
}

extension StorageError {
    init(_ error: DatabaseError) {
        let message = error.message ?? "no message"
        switch error.resultCode {
        case .SQLITE_FULL: self = .diskFull
        case .SQLITE_READONLY: self = .readOnly
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt(message)
        case .SQLITE_CONSTRAINT: self = .constraint(message)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(holder: nil)
        default: self = .failed(code: error.extendedResultCode.rawValue, message: message)
        }
    }
}
