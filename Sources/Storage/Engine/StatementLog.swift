import Foundation
import Model
import Platform
import Synchronization

/// Logs the statements that a process runs, for tests: each process writes a file into the folder that
/// ``TestSwitch/statements`` names. `scripts/test-sql` prepares the statements on PostgreSQL.
///
/// A line is a JSON object with the statement for PostgreSQL (`sql`) and the PostgreSQL types of its bound values
/// (`types`). Statements for SQLite alone are left out.
final class StatementLog: Sendable {
    /// `nil` unless the environment names a folder that can be written to.
    static let current = TestSwitch.statements.value.flatMap(StatementLog.init(folder:))

    /// The most type lists that are written for one statement. An insert of fifty rows with nullable columns has more
    /// than can be tried.
    static let maximumTypeLists = 16

    private struct Entry: Encodable {
        var sql: String
        var types: [String]
    }

    /// The type lists that were written, by the text of the statement.
    private final class LoggedTypes: Sendable {
        private let types = Mutex<[String: Set<[String]>]>([:])

        /// - Returns: whether the list is a new one of this statement.
        func insert(_ list: [String], of text: String) -> Bool {
            types.withLock { types in
                if let known = types[text], known.count >= StatementLog.maximumTypeLists || known.contains(list) {
                    return false
                }
                return types[text, default: []].insert(list).inserted
            }
        }
    }

    private let descriptor: Int32
    /// Divided by the statements' texts: a process that runs many tests has a dozen databases, whose threads would
    /// spend much of their time waiting for a single lock.
    private let written = (0..<64).map { _ in LoggedTypes() }

    init?(folder: String) {
        let path = "\(folder)/\(getpid())-\(UUID().uuidString).jsonl"
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// - Parameter text: the statement for PostgreSQL with `?` for each value; empty if PostgreSQL does not have it.
    func record(_ text: String, _ values: [SQLValue]) {
        if text.isEmpty { return }
        let types = values.map(Dialect.postgreSQLType)
        let part = Int(UInt(bitPattern: text.hashValue) % UInt(written.count))
        guard written[part].insert(types, of: text) else { return }
        let entry = Entry(sql: Dialect.numberingPlaceholders(of: text), types: types)
        guard var line = try? JSONEncoder().encode(entry) else { return }
        line.append(UInt8(ascii: "\n"))
        // A single call, because the process may be killed at any moment. If a test fills the disk, the line is
        // missing.
        _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
