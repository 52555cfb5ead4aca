import CSQLite
import GRDB
import Glibc

extension StorageError {
    /// - Parameter connection: the connection of the error, which stores the system's error.
    init(_ error: DatabaseError, on connection: GRDB.Database? = nil) {
        self.init(
            code: error.extendedResultCode.rawValue, message: error.message ?? "no message",
            systemError: connection?.sqliteConnection.map(sqlite3_system_errno) ?? 0)
    }

    /// - Parameters:
    ///   - code: SQLite's extended result code.
    ///   - systemError: `errno` right after the call; 0 uses the one that SQLite stored.
    init(code: Int32, connection: OpaquePointer?, systemError: Int32 = 0) {
        self.init(
            code: code, message: String(cString: sqlite3_errmsg(connection)),
            systemError: systemError != 0 ? systemError : connection.map(sqlite3_system_errno) ?? 0)
    }

    private init(code: Int32, message: String, systemError: Int32) {
        switch code & 0xff {
        case SQLITE_FULL: self = .diskFull
        case SQLITE_READONLY: self = .readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt(message)
        case SQLITE_CONSTRAINT: self = .constraint(message)
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy(holder: nil)
        case SQLITE_NOMEM: self = .outOfMemory
        // SQLite has a result code for a full disk under the database file, but not under its shared memory.
        case SQLITE_IOERR, SQLITE_CANTOPEN: self = StorageError(systemError) ?? .failed(code: code, message: message)
        default: self = .failed(code: code, message: message)
        }
    }

    /// The error for an `errno` that an operator can resolve; `nil` for any other.
    init?(_ systemError: Int32) {
        switch systemError {
        // A full disk, a full quota, the process's limit on a file's size.
        case ENOSPC, EDQUOT, EFBIG: self = .diskFull
        case EROFS: self = .readOnly
        case EMFILE, ENFILE: self = .tooManyFiles
        default: return nil
        }
    }

    /// The reason why the file at `path` cannot be opened, if SQLite's error does not contain it.
    static func opening(_ path: String, _ error: DatabaseError) -> StorageError {
        switch StorageError(error) {
        case .failed(_, let message): ofDisk(under: path) ?? .cannotOpen(path: path, reason: message)
        case .corrupt(let message): .corrupt("\(path): \(message)")
        case let clear: clear
        }
    }

    /// The reason, if the file's disk or this process's open files show one.
    private static func ofDisk(under path: String) -> StorageError? {
        let probe = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if probe < 0 { return StorageError(errno) }
        close(probe)
        var space = statvfs()
        // The lock file is created before the database file.
        guard statvfs(path, &space) == 0 || statvfs(path + ".lock", &space) == 0 else { return nil }
        if space.f_flag & UInt(ST_RDONLY) != 0 { return .readOnly }
        return space.f_bavail == 0 ? .diskFull : nil
    }
}

extension StorageError {
    /// Whether the reason of a failure may end by itself.
    ///
    /// - Parameter code: SQLite's extended result code.
    static func mayPass(code: Int32) -> Bool {
        [SQLITE_INTERRUPT, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PROTOCOL].contains(code & 0xff)
    }
}
