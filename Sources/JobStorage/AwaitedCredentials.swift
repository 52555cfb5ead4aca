import Model
import Storage

extension JobStore {
    /// When a run was handed out; `nil` if the job has a later run.
    package func startTime(of run: JobRun) throws -> Timestamp? {
        try transaction.row("SELECT started_at FROM jobs WHERE id = \(run.jobID) AND run = \(run.run)")?["started_at"]
    }

    /// How many jobs wait for a credential, by provider.
    package func jobsAwaitingCredentials() throws -> [(provider: String, count: Int)] {
        try transaction.rows(
            """
            SELECT awaits, COUNT(*) AS count FROM jobs WHERE awaits IS NOT NULL AND state = 'scheduled'
            GROUP BY awaits ORDER BY awaits
            """
        ).map { (try $0["awaits"], try $0["count"]) }
    }

    /// The scopes that a person's jobs wait for, by provider.
    package func awaitedScopes(ofUser userID: String) throws -> [String: Set<String>] {
        try transaction.rows(
            """
            SELECT DISTINCT awaits, awaited_scopes FROM jobs
            WHERE user_id = \(userID) AND awaits IS NOT NULL AND awaited_scopes IS NOT NULL AND state = 'scheduled'
            """
        ).reduce(into: [:]) { scopes, row in
            scopes[try row["awaits"], default: []].formUnion(try row.awaitedScopes)
        }
    }

    /// A person's jobs that began to wait for scopes after a change, by change: the provider and the change of each.
    package func jobsAwaitingScopes(
        ofUser userID: String, changedAfter change: Int64, limit: Int
    ) throws -> [(provider: String, change: Int64)] {
        try transaction.rows(
            """
            SELECT awaits, change FROM jobs
            WHERE user_id = \(userID) AND awaits IS NOT NULL AND awaited_scopes IS NOT NULL AND change > \(change)
            ORDER BY change LIMIT \(limit)
            """
        ).map { (try $0["awaits"], try $0["change"]) }
    }
}

extension JobStore where Access == WriteTransaction {
    /// Makes a person's jobs due that wait for a credential or scopes of a provider.
    package func resumeJobs(userID: String, awaiting provider: String, now: Timestamp) throws {
        let waiting = try transaction.rows(
            "SELECT id FROM jobs WHERE user_id = \(userID) AND awaits = \(provider) AND state = 'scheduled'")
        for row in waiting {
            let id: String = try row["id"]
            try transaction.run(
                """
                UPDATE jobs SET run_at = \(now), planned_at = \(now), awaits = NULL, awaited_scopes = NULL,
                    change = \(try transaction.nextChange())
                WHERE id = \(id)
                """)
        }
    }
}

extension Row {
    /// The scopes that a job waits for, in the order of its failure.
    var awaitedScopes: [String] {
        get throws {
            let scopes: String? = try self["awaited_scopes"]
            return scopes?.split(separator: " ").map(String.init) ?? []
        }
    }
}
