import Model
import Storage

/// An unfinished job, for checking its age.
package struct UnfinishedJob: Sendable, Equatable {
    package let id: String
    package let kind: String
    /// When its run began; for a waiting job, when it was due.
    package let since: Timestamp
    /// The instance of the worker that has it.
    package let worker: String?
    package let leaseExpiresAt: MonotonicInstant?
}

/// Queries for `doctor`.
extension JobStore {
    /// The jobs that have waited longest for a worker, longest first.
    package func oldestQueuedJobs(limit: Int) throws -> [UnfinishedJob] {
        try transaction.rows(
            """
            SELECT id, kind, run_at AS since, NULL AS worker, NULL AS lease_expires_at FROM jobs
            WHERE state = 'queued' AND \(JobRecord.isLive) ORDER BY run_at LIMIT \(limit)
            """
        ).map(UnfinishedJob.init)
    }

    /// The jobs that have run longest, longest first.
    package func oldestRunningJobs(limit: Int) throws -> [UnfinishedJob] {
        try transaction.rows(
            """
            SELECT id, kind, COALESCE(started_at, run_at) AS since, worker, lease_expires_at FROM jobs
            WHERE state = 'running' AND \(JobRecord.isLive) ORDER BY started_at LIMIT \(limit)
            """
        ).map(UnfinishedJob.init)
    }

    /// The latest wall-clock time that jobs and migrations stored; `nil` in a database without any.
    package func latestKnownMoment() throws -> Timestamp? {
        // Ids begin with the time of creation, so the last one is among the newest jobs.
        let job: Timestamp? = try transaction.row("SELECT created_at FROM jobs ORDER BY id DESC LIMIT 1")?["created_at"]
        let step: Timestamp? = try transaction.row("SELECT MAX(applied_at) AS applied_at FROM schema_migrations")?[
            "applied_at"]
        return [job, step].compactMap { $0 }.max()
    }
}

extension UnfinishedJob {
    init(row: Row) throws {
        id = try row["id"]
        kind = try row["kind"]
        since = try row["since"]
        worker = try row["worker"]
        leaseExpiresAt = try row["lease_expires_at"]
    }
}
