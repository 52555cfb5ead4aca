/// An error of the database. The texts are for operators.
package enum StorageError: Error, Sendable, Equatable {
    /// Another process held the write lock for longer than a write waits (``WriteQueueState/lockTimeout``).
    ///
    /// - Parameter holder: the process, if it can be seen.
    case busy(holder: Int32?)
    case cannotOpen(path: String, reason: String)
    /// The disk, or this user's share of it, is full.
    case diskFull
    case readOnly
    /// The process or the machine has no file descriptors left.
    case tooManyFiles
    /// The process has reached its memory limit.
    case outOfMemory
    case corrupt(String)
    /// A unique key, foreign key or check refused the row.
    case constraint(String)
    case schemaTooNew(found: Int, known: Int)
    case schemaTooOld(found: Int, wanted: Int)
    /// The database is of a version before 0.2.0, the first release.
    case schemaUnreleased
    /// The database records migrations that are in no version together.
    ///
    /// - Parameters:
    ///   - has: a migration that it records.
    ///   - lacks: one that belongs before it, or that every version with it has.
    case schemaInconsistent(has: String, lacks: String)
    /// - Parameters:
    ///   - found: the type of the value, never the value itself.
    ///   - wanted: the type that was asked for.
    case column(name: String, found: String, wanted: String)
    /// - Parameter code: the engine's own: the extended result code of SQLite.
    case failed(code: Int32, message: String)
    /// The engine rolled the transaction back without an error of the write.
    case transactionLost
    /// The database was closed before the write was made.
    case closed
}

extension StorageError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .busy(let holder):
            let process = holder.map { "process \($0)" } ?? "another process"
            return "The database is busy: \(process) has held its write lock for more than five seconds. "
                + "If that process is stopped or stuck, resume or end it."
        case .cannotOpen(let path, let reason):
            return "The database \(path) cannot be opened: \(reason)"
        case .diskFull:
            return "The disk that holds the database is full. Free some space; nothing that was accepted is lost."
        case .readOnly:
            return "The database cannot be written: the file, its folder or its disk is read-only for this user. "
                + "Look at 'mount' and at the kernel's log; nothing that was accepted is lost."
        case .tooManyFiles:
            return "The process has reached its limit of open files and connections. Raise the limit: LimitNOFILE "
                + "under systemd, 'ulimit -n' elsewhere."
        case .outOfMemory:
            return "The process has reached its memory limit. Raise the limit: MemoryMax under systemd, mem_limit in "
                + "compose, 'ulimit -d' elsewhere."
        case .corrupt(let message):
            return "The database file is damaged (\(message)). 'backline doctor --deep' shows where. Stop all of "
                + "Backline, then restore a backup: backline restore FILE"
        case .constraint(let message):
            return "The database refused the row: \(message)"
        case .schemaTooNew(let found, let known):
            return "The database has schema \(found), newer than \(known), the newest that this program knows. "
                + "Start the version of Backline that migrated it, or a later one."
        case .schemaTooOld(let found, let wanted):
            return "The database has schema \(found) and this program needs \(wanted). Run 'backline migrate'."
        case .schemaUnreleased:
            return "An unreleased version of Backline (before 0.2.0) made this database, and no release can migrate "
                + "it. Export people's libraries with that version (GET /v1/library/export), move the database away, "
                + "so that a new one is made, and import the files there."
        case .schemaInconsistent(let has, let lacks):
            return "The database has the migration \(has) but lacks \(lacks), so no version of Backline left it like "
                + "this. Restore a backup: backline restore FILE"
        case .column(let name, let found, let wanted):
            return "Column \(name): found \(found), wanted \(wanted)."
        case .failed(let code, let message):
            return "The database reported error \(code): \(message)"
        case .transactionLost:
            return "The database rolled back the write's transaction while the write was still running."
        case .closed:
            return "The database is closed."
        }
    }

    /// The description for people who are not operators: without paths and process ids.
    package var publicDescription: String {
        switch self {
        case .busy:
            "The database is busy: another process has held its write lock for more than five seconds. Try again. If "
                + "it stays busy, the operator can find the process with 'backline doctor'."
        case .cannotOpen:
            "The database cannot be opened. The operator can find the reason with 'backline doctor'."
        case .corrupt:
            StorageError.corrupt("the gateway's log has the details").description
        case .diskFull, .readOnly, .tooManyFiles, .outOfMemory, .constraint, .schemaTooNew, .schemaTooOld,
            .schemaUnreleased, .schemaInconsistent, .column, .failed, .transactionLost, .closed:
            description
        }
    }
}

extension StorageError {
    /// Whether a row cannot be read or decoded. Other rows may be intact.
    package var isDamage: Bool {
        switch self {
        case .corrupt, .column: true
        default: false
        }
    }

    /// Whether the same write may succeed later.
    package var mayPass: Bool {
        switch self {
        case .busy, .diskFull, .readOnly, .tooManyFiles, .outOfMemory: true
        case .failed(let code, _): Self.mayPass(code: code)
        case .cannotOpen, .corrupt, .constraint, .schemaTooNew, .schemaTooOld, .schemaUnreleased, .schemaInconsistent,
            .column, .transactionLost, .closed:
            false
        }
    }
}
