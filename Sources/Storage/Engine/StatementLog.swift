import Foundation
import Model
import Synchronization

/// Which statements a process ran, for tests: ``TestSwitch/statements`` names a folder, into which each process writes
/// a file of its own. `scripts/test-sql` prepares them on PostgreSQL.
///
/// A line is a JSON object with a statement as PostgreSQL has it, `sql`, and the PostgreSQL types of the values that
/// were bound, `types`. What only SQLite has is not written.
final class StatementLog: Sendable {
    /// `nil` unless the environment names a folder that can be written to.
    static let current = TestSwitch.statements.value.flatMap(StatementLog.init(folder:))

    /// A statement is written once for each list of types, up to this many: of fifty rows with columns that may be
    /// null there are more lists than anybody can try.
    static let maximumTypeLists = 16

    private struct Entry: Encodable {
        var sql: String
        var types: [String]
    }

    private let descriptor: Int32
    /// The lists of types that were written, by the statement with `?`.
    private let written = Mutex<[String: Set<[String]>]>([:])

    init?(folder: String) {
        let path = "\(folder)/\(getpid())-\(UUID().uuidString).jsonl"
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// - Parameter text: with `?` for each value, as PostgreSQL has it; empty when it has no such statement.
    func record(_ text: String, _ values: [SQLValue]) {
        if text.isEmpty { return }
        let types = values.map(Dialect.postgreSQLType)
        let isNew = written.withLock { written in
            guard written[text, default: []].count < Self.maximumTypeLists else { return false }
            return written[text, default: []].insert(types).inserted
        }
        guard isNew else { return }
        let entry = Entry(sql: Dialect.numberingPlaceholders(of: text), types: types)
        guard var line = try? JSONEncoder().encode(entry) else { return }
        line.append(UInt8(ascii: "\n"))
        // In one piece, since the process may be killed at any moment. A test's disk may be full; then a line is
        // missing.
        _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
