/// Why a backup was not made or not restored. The texts are for operators.
package enum BackupError: Error, Sendable, Equatable {
    /// The destination of the backup exists.
    case exists(path: String)
    /// The destination is one of the files of the database itself.
    case isTheDatabase(path: String)
    case missing(path: String)
    case notADatabase(path: String)
    /// The file is a database of another program.
    case notBackline(path: String)
    case schemaTooNew(path: String, found: Int, known: Int)
    /// The file is a database of a version before 0.2.0, the first release.
    case schemaUnreleased(path: String)
    /// - Parameter findings: the first errors that SQLite reported.
    case damaged(path: String, findings: [String])
    case cannotWrite(path: String, reason: String)
    /// - Parameters:
    ///   - needed: in bytes.
    ///   - free: in bytes.
    case noRoom(folder: String, needed: Int64, free: Int64)
    /// Processes have the database open. The list is empty if they cannot be seen, for example because they run in
    /// another container.
    case inUse(processes: [Int32])
}

extension BackupError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exists(let path):
            return "\(path) already exists. Choose another file, or replace it with --force."
        case .isTheDatabase(let path):
            return "\(path) belongs to the database itself. Choose another file."
        case .missing(let path):
            return "There is no file \(path)."
        case .notADatabase(let path):
            return "\(path) is not an SQLite database."
        case .notBackline(let path):
            return "\(path) is a database that Backline did not make."
        case .schemaTooNew(let path, let found, let known):
            return "\(path) has schema \(found), newer than \(known), the newest that this program knows. "
                + "Use the version of Backline that made it, or a later one."
        case .schemaUnreleased(let path):
            return "An unreleased version of Backline (before 0.2.0) made \(path), and no release can migrate it. "
                + "Use a backup that version 0.2.0 or a later one made."
        case .damaged(let path, let findings):
            return "\(path) is damaged (\(findings.joined(separator: "; "))). Use another backup."
        case .cannotWrite(let path, let reason):
            return "\(path) cannot be written: \(reason)."
        case .noRoom(let folder, let needed, let free):
            func mebibytes(_ bytes: Int64) -> String { "\((bytes + (1 << 20) - 1) >> 20) MiB" }
            return "\(folder) has \(mebibytes(free)) free, but \(mebibytes(needed)) are needed. Free some space, or "
                + "move the database to a larger disk."
        case .inUse(let processes):
            let names = processes.map { "process \($0)" }.joined(separator: ", ")
            return "The database is in use by \(names.isEmpty ? "a process in another container" : names). "
                + "Stop everything that uses it first."
        }
    }
}
