import Model

private let waitingJob = ConstantSQL(
    """
    SELECT run + 1 AS run, user_id, on_behalf_of, kind, version, attempt + 1 AS attempt, maximum_attempts, priority,
        payload, trace
    FROM jobs WHERE id = ? AND state = 'queued'
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

/// Hand-outs of jobs: the claim that stands before a worker hears of it, and its lease.
extension JobStore where Access == WriteTransaction {
    /// Hands a waiting job to a worker; `nil` when it no longer waits.
    package func claim(jobID: String, worker: String, leaseExpiresAt: MonotonicInstant, now: Timestamp) throws
        -> ClaimedJob?
    {
        // Read first: under the write lock nobody comes between, and RETURNING costs a statement journal.
        guard
            let claimed = try transaction.rows(waitingJob, [jobID.sqlValue]).first.map({
                try ClaimedJob(id: jobID, row: $0)
            })
        else { return nil }
        _ = try transaction.execute(
            claimRun,
            [
                claimed.run.run.sqlValue, claimed.attempt.sqlValue, worker.sqlValue, leaseExpiresAt.sqlValue,
                now.sqlValue, try transaction.nextChange().sqlValue, jobID.sqlValue,
            ])
        transaction.moved(.init(userID: claimed.userID, kind: claimed.kind, from: .queued, to: .running))
        return claimed
    }

    /// Hands a job to a worker that has never been handed out, and of which the caller knows the rest;
    /// `false` when it no longer waits. Saves reading the row.
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

    /// Moves a scheduled job whose time has come to the queue; `false` when it is no longer scheduled.
    package func makeDue(jobID: String) throws -> Bool {
        guard
            let row = try transaction.row(
                """
                UPDATE jobs SET state = 'queued', awaits = NULL, awaited_scopes = NULL, change = \(try transaction.nextChange())
                WHERE id = \(jobID) AND state = 'scheduled' RETURNING user_id, kind
                """)
        else { return false }
        moved(try row["user_id"], try row["kind"], from: .scheduled, to: .queued)
        return true
    }

    /// Has an unfinished job queue under another person, as from the next hand-out on; one that has ended stays as it
    /// is.
    ///
    /// - Parameter person: whom the work is for from now on; `nil` is its owner.
    /// - Returns: whether it was somebody else before.
    @discardableResult
    package func setPerson(_ person: String?, ofJob jobID: String) throws -> Bool {
        try transaction.execute(
            """
            UPDATE jobs SET on_behalf_of = NULLIF(\(person), user_id), change = \(try transaction.nextChange())
            WHERE id = \(jobID) AND \(JobRecord.isLive)
                AND COALESCE(on_behalf_of, user_id) <> COALESCE(\(person), user_id)
            """) == 1
    }

    /// Makes an unfinished job that is for somebody other than `userID` as urgent as `priority`, if it is less so.
    package func raisePriority(ofJob jobID: String, to priority: Int, forOthersThan userID: String) throws {
        try transaction.execute(
            """
            UPDATE jobs SET priority = \(priority), change = \(try transaction.nextChange())
            WHERE id = \(jobID) AND \(JobRecord.isLive) AND priority < \(priority)
                AND COALESCE(on_behalf_of, user_id) <> \(userID)
            """)
    }

    /// Extends the leases of runs that their worker named, where less than `margin` is left.
    ///
    /// - Returns: those that are not under way: they ended, were cancelled, or their jobs were handed out again.
    package func extendLeases(
        of runs: [JobRun], until expiry: MonotonicInstant, margin: MonotonicInstant
    ) throws -> [JobRun] {
        var ended: [JobRun] = []
        // 500 pairs a statement stay far below the limit on bound values.
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
