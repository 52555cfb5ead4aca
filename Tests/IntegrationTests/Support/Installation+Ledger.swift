import Storage
import Testing

/// What the table says of one job, beyond what the API shows.
struct LedgerEntry: Sendable, Equatable {
    var state: String
    /// Rises with each hand-out.
    var run: Int
    var attempt: Int
    /// The epoch of the worker that had it last.
    var worker: String?
    var isSuspect: Bool
    var crashes: Int
    var change: Int
}

extension Installation {
    /// All jobs by id, from the table.
    func ledger() async throws -> [String: LedgerEntry] {
        try await withDatabase { database in
            try await database.read { reader in
                var entries: [String: LedgerEntry] = [:]
                for row in try reader.rows("SELECT id, state, run, attempt, worker, is_suspect, crashes, change FROM jobs") {
                    entries[try row["id"]] = LedgerEntry(
                        state: try row["state"], run: try row["run"], attempt: try row["attempt"],
                        worker: try row["worker"], isSuspect: try row["is_suspect"], crashes: try row["crashes"],
                        change: try row["change"])
                }
                return entries
            }
        }
    }

    /// How many failed attempts are on record, of all jobs.
    func failedAttempts() async throws -> Int {
        try await withDatabase { database in
            try await database.read { try $0.row("SELECT COUNT(*) AS count FROM job_attempts")?["count"] ?? 0 }
        }
    }

    /// Holds the counters against the rows that they count.
    func expectTrueCounters(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let (counted, found) = try await withDatabase { database in
            try await database.read { reader in
                (
                    try reader.rows("SELECT user_id, state, count FROM job_counts WHERE count <> 0").map(Self.count),
                    try reader.rows("SELECT user_id, state, COUNT(*) AS count FROM jobs GROUP BY user_id, state").map(
                        Self.count)
                )
            }
        }
        #expect(Set(counted) == Set(found), sourceLocation: sourceLocation)
    }

    private static func count(_ row: Row) throws -> String {
        "\(try row["user_id"] as String) \(try row["state"] as String) \(try row["count"] as Int)"
    }
}
