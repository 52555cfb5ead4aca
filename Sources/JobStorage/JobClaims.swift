import Model
import Storage

private let waitingJob = ConstantSQL(
    """
    SELECT run + 1 AS run, user_id, on_behalf_of, kind, version, attempt + 1 AS attempt, maximum_attempts, priority,
        payload, trace
    FROM jobs WHERE id = ? AND run = ? AND state = 'queued'
    """)

private let claimRun = ConstantSQL(
    """
    UPDATE jobs SET state = 'running', run = ?, attempt = ?, worker = ?, lease_expires_at = ?, started_at = ?,
        finished_at = NULL, change = ?
    WHERE id = ? AND state = 'queued'
    """)

private let claimFirstRun = ConstantSQL(
    """
    UPDATE jobs SET state = 'running', run = 1, attempt = 1, worker = ?, lease_expires_at = ?, started_at = ?,
        change = ?
    WHERE id = ? AND state = 'queued' AND run = 0
    """)

/// Claims of jobs, which are written before the job is sent to its worker, and their leases.
extension JobStore where Access == WriteTransaction {
    /// Hands a waiting job to a worker.
    ///
    /// - Parameter lastRun: the number of the job's last run, as the caller knows it; 0 for a job that never ran.
    /// - Returns: `nil` if the job no longer waits, or has run since; then what the caller knows about it, such as its
    ///   crash group, is out of date.
    package func claim(
        jobID: String, lastRun: Int64, worker: String, leaseExpiresAt: MonotonicInstant, now: Timestamp
    ) throws -> ClaimedJob? {
        // The row is read first: under the write lock nobody writes in between, and RETURNING needs a statement
        // journal.
        guard
            let claimed = try transaction.rows(waitingJob, [jobID.sqlValue, lastRun.sqlValue]).first.map({
                try ClaimedJob(id: jobID, row: $0)
            })
        else { return nil }
        try transaction.run(
            claimRun,
            [
                claimed.run.run.sqlValue, claimed.attempt.sqlValue, worker.sqlValue, leaseExpiresAt.sqlValue,
                now.sqlValue, try transaction.nextChange().sqlValue, jobID.sqlValue,
            ])
        transaction.moved(.init(userID: claimed.userID, kind: claimed.kind, from: .queued, to: .running))
        return claimed
    }

    /// Hands a job that never ran to a worker. The caller knows the other columns, which saves reading the row.
    ///
    /// - Returns: `false` if the job no longer waits, or has run since.
    package func claimFirst(
        jobID: String, userID: String, kind: String, worker: String, leaseExpiresAt: MonotonicInstant, now: Timestamp
    ) throws -> Bool {
        let changed = try transaction.execute(
            claimFirstRun,
            [
                worker.sqlValue, leaseExpiresAt.sqlValue, now.sqlValue, try transaction.nextChange().sqlValue,
                jobID.sqlValue,
            ])
        if changed == 1 { moved(userID, kind, from: .queued, to: .running) }
        return changed == 1
    }

    /// Queues a scheduled job whose time has come; returns `false` if it is no longer scheduled.
    package func makeDue(jobID: String) throws -> Bool {
        guard
            let row = try transaction.row(
                """
                UPDATE jobs SET state = 'queued', awaits = NULL, awaited_scopes = NULL,
                    change = \(try transaction.nextChange())
                WHERE id = \(jobID) AND state = 'scheduled' RETURNING user_id, kind
                """)
        else { return false }
        moved(try row["user_id"], try row["kind"], from: .scheduled, to: .queued)
        return true
    }

    /// Changes the person for whom an unfinished job is. An assignment that has already happened does not change.
    ///
    /// - Parameter person: the new person; `nil` is the owner.
    /// - Returns: whether the job is unfinished and was for another person before.
    @discardableResult
    package func setPerson(_ person: String?, ofJob jobID: String) throws -> Bool {
        try transaction.execute(
            """
            UPDATE jobs SET on_behalf_of = NULLIF(\(person), user_id), change = \(try transaction.nextChange())
            WHERE id = \(jobID) AND \(JobRecord.isLive)
                AND COALESCE(on_behalf_of, user_id) <> COALESCE(\(person), user_id)
            """) == 1
    }

    /// Raises the priority of an unfinished job to at least `priority`, unless the job is for `userID`.
    package func raisePriority(ofJob jobID: String, to priority: Int, forOthersThan userID: String) throws {
        try transaction.run(
            """
            UPDATE jobs SET priority = \(priority), change = \(try transaction.nextChange())
            WHERE id = \(jobID) AND \(JobRecord.isLive) AND priority < \(priority)
                AND COALESCE(on_behalf_of, user_id) <> \(userID)
            """)
    }

    /// Extends the leases of runs that their worker named and whose lease ends before `margin`.
    ///
    /// - Returns: the runs that are no longer running: they ended, were cancelled, or their jobs were handed out again.
    package func extendLeases(
        of runs: [JobRun], until expiry: MonotonicInstant, margin: MonotonicInstant
    ) throws -> [JobRun] {
        var ended: [JobRun] = []
        // 500 pairs per statement stay far below the limit on bound values.
        for start in stride(from: 0, to: runs.count, by: 500) {
            let part = runs[start..<min(start + 500, runs.count)]
            var pairs: SQL = ""
            for index in 0..<SQL.paddedCount(part.count) {
                let run = part[min(start + index, part.endIndex - 1)]
                pairs = pairs + (index == 0 ? "(\(run.jobID), \(run.run))" : ", (\(run.jobID), \(run.run))")
            }
            let extended = try transaction.execute(
                """
                UPDATE jobs SET lease_expires_at = \(expiry)
                WHERE (id, run) IN (VALUES \(pairs)) AND state = 'running' AND lease_expires_at < \(margin)
                """)
            guard extended < part.count else { continue }
            let underWay = Set(
                try transaction.rows(
                    "SELECT id, run FROM jobs WHERE (id, run) IN (VALUES \(pairs)) AND state = 'running'"
                )
                .map { JobRun(jobID: try $0["id"], run: try $0["run"]) })
            ended += part.filter { !underWay.contains($0) }
        }
        return ended
    }
}
