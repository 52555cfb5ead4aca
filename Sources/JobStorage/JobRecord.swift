import Model
import Storage

/// The columns of a job that the API shows.
package struct JobRecord: Sendable {
    package var id: String
    package var userID: String
    package var kind: String
    package var state: JobState
    package var priority: Int
    package var run: Int64
    package var attempt: Int
    package var createdAt: Timestamp
    package var runAt: Timestamp
    package var startedAt: Timestamp?
    package var finishedAt: Timestamp?
    /// The result as JSON.
    package var result: String?
    package var errorCode: String?
    package var errorMessage: String?
    /// The provider whose credential it waits for, as a `Provider`'s raw value.
    package var awaits: String?
    /// The scopes that the owner has to grant there; empty if it waits for a credential.
    package var awaitedScopes: [String]
    package var change: Int64
}

extension JobRecord {
    static let columns = SQL(
        """
        id, user_id, kind, state, priority, run, attempt, created_at, run_at, started_at, finished_at,
        result, error_code, error_message, awaits, awaited_scopes, change
        """)

    /// The condition of the partial index on unfinished jobs. SQLite uses a partial index only for a query that repeats
    /// the index's condition, and scans the table otherwise.
    static let isLive = SQL("finished_at IS NULL")

    /// The condition of the partial index on finished jobs.
    static let hasEnded = SQL("finished_at IS NOT NULL")

    /// The condition of the partial index on ephemeral jobs.
    static let isEphemeral = SQL("is_ephemeral = 1")

    /// The condition of all other jobs, which are shown to people and operators.
    static let isListed = SQL("is_ephemeral = 0")

    init(row: Row) throws {
        id = try row["id"]
        userID = try row["user_id"]
        kind = try row["kind"]
        state = try row["state"]
        priority = try row["priority"]
        run = try row["run"]
        attempt = try row["attempt"]
        createdAt = try row["created_at"]
        runAt = try row["run_at"]
        startedAt = try row["started_at"]
        finishedAt = try row["finished_at"]
        result = try row["result"]
        errorCode = try row["error_code"]
        errorMessage = try row["error_message"]
        awaits = try row["awaits"]
        awaitedScopes = try row.awaitedScopes
        change = try row["change"]
    }
}

extension JobState: SQLConvertible {}

/// A failed attempt of a job.
package struct JobAttemptRecord: Sendable {
    package var attempt: Int
    package var startedAt: Timestamp?
    package var finishedAt: Timestamp
    package var errorCode: String
    package var errorMessage: String
}
