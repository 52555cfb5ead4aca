import CSQLite
import GRDB

extension StorageError {
    init(_ error: DatabaseError) {
        self.init(code: error.extendedResultCode.rawValue, message: error.message ?? "no message")
    }

    /// - Parameter code: SQLite's extended result code.
    init(code: Int32, connection: OpaquePointer?) {
        self.init(code: code, message: String(cString: sqlite3_errmsg(connection)))
    }

    private init(code: Int32, message: String) {
        switch code & 0xff {
        case SQLITE_FULL: self = .diskFull
        case SQLITE_READONLY: self = .readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt(message)
        case SQLITE_CONSTRAINT: self = .constraint(message)
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy(holder: nil)
        default: self = .failed(code: code, message: message)
        }
    }
}
