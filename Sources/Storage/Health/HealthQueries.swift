import Model

/// A job that is not finished, as far as its age tells something.
package struct UnfinishedJob: Sendable, Equatable {
    package let id: String
    package let kind: String
    /// When it could run, or, while it runs, when its run began.
    package let since: Timestamp
    /// The epoch of the worker that has it.
    package let worker: String?
    package let leaseExpiresAt: MonotonicInstant?
}

/// What operators look at to see whether everything moves on.
extension SQLReader {
    /// The jobs that wait for a worker for the longest time, oldest first.
    package func oldestQueuedJobs(limit: Int) throws -> [UnfinishedJob] {
        try rows(
            """
            SELECT id, kind, run_at AS since, NULL AS worker, NULL AS lease_expires_at FROM jobs
            WHERE state = 'queued' AND \(JobRecord.isLive) ORDER BY run_at LIMIT \(limit)
            """
        ).map(UnfinishedJob.init)
    }

    /// The jobs that have run for the longest time, oldest first.
    package func oldestRunningJobs(limit: Int) throws -> [UnfinishedJob] {
        try rows(
            """
            SELECT id, kind, COALESCE(started_at, run_at) AS since, worker, lease_expires_at FROM jobs
            WHERE state = 'running' AND \(JobRecord.isLive) ORDER BY started_at LIMIT \(limit)
            """
        ).map(UnfinishedJob.init)
    }

    /// When each key's last slot becomes free, at the latest, as far as the times are of this boot.
    package func permitHorizons(boot: String = BootID.current) throws -> [(key: String, busyUntil: MonotonicInstant)] {
        try rows(
            """
            SELECT key, MAX(busy_until_instant) AS busy_until FROM permit_slots WHERE boot = \(boot)
            GROUP BY key ORDER BY key
            """
        ).map { (try $0["key"], try $0["busy_until"]) }
    }

    /// The latest moment that somebody wrote as the present one; `nil` in a database without any.
    package func latestKnownMoment() throws -> Timestamp? {
        // Ids begin with the time of creation, so the last one is among the youngest.
        let job: Timestamp? = try row("SELECT created_at FROM jobs ORDER BY id DESC LIMIT 1")?["created_at"]
        let step: Timestamp? = try row("SELECT MAX(applied_at) AS applied_at FROM schema_migrations")?["applied_at"]
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
