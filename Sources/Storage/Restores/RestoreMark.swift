import Model

/// The changes that a restore makes in the tables of a domain.
///
/// A backup knows nothing of what happened after it was made: requests that were sent to services, jobs that ended, and
/// the numbers of changes that pages have seen.
package struct RestoreMark: Sendable {
    /// Added to numbers that grow, so that they repeat none of those that were assigned after the backup was made.
    package static let leap = 1_000_000

    let statement: SQL

    package init(_ statement: SQL) {
        self.statement = statement
    }
}

extension WriteTransaction {
    /// Marks the database as restored.
    func mark(_ marks: [RestoreMark], at now: Timestamp) throws {
        try run("INSERT INTO database_restores (restored_at) VALUES (\(now))")
        try run("UPDATE change_sequence SET value = value + \(RestoreMark.leap)")
        for mark in marks { try run(mark.statement) }
    }
}

extension SQLReader {
    /// How often the database has been restored from a backup.
    package func restoreCount() throws -> Int {
        try row("SELECT COUNT(*) AS restores FROM database_restores")?["restores"] ?? 0
    }

    /// The history to which the numbers of changes belong; `nil` in a database that was never restored.
    package func history() throws -> DatabaseHistory? {
        let times: [Timestamp] = try rows("SELECT restored_at FROM database_restores").map { try $0["restored_at"] }
        return times.isEmpty ? nil : DatabaseHistory(restores: times)
    }
}
