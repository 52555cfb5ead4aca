import Model

extension JobStore {
    /// When a recurring schedule is due next; `nil` for a schedule that has no row yet.
    package func nextTime(ofSchedule name: String) throws -> Timestamp? {
        try transaction.row("SELECT next_at FROM schedules WHERE name = \(name)").map { try $0["next_at"] }
    }

    /// Ids of jobs of a kind that ended before `cutoff`, oldest first. It reads all jobs that are as old.
    package func jobs(ofKind kind: String, finishedBefore cutoff: Timestamp, limit: Int) throws -> [String] {
        try transaction.rows(
            """
            SELECT id FROM jobs
            WHERE id < \(UUIDv7.lowerBound(of: cutoff)) AND kind = \(kind) AND finished_at < \(cutoff)
            ORDER BY id LIMIT \(limit)
            """
        ).map { try $0["id"] }
    }
}

extension JobStore where Access == WriteTransaction {
    /// Deletes jobs that ended before `cutoff`, dead letters included, oldest first.
    ///
    /// - Parameter exempt: kinds with a retention of their own.
    /// - Returns: the number of deleted jobs.
    package func pruneJobs(finishedBefore cutoff: PruningTime, exempt: [String] = [], limit: Int) throws -> Int {
        // Ids begin with the time of creation, so the scan ends at the first job that is too young.
        var condition: SQL = "id < \(UUIDv7.lowerBound(of: cutoff.moment))"
        if !exempt.isEmpty { condition = condition + " AND kind NOT IN (\(list: exempt))" }
        return try deleteJobs(where: condition, finishedBefore: cutoff, limit: limit)
    }

    /// Deletes those of the jobs that ended before `cutoff`.
    ///
    /// - Parameter ids: at most 500 ids.
    /// - Returns: the number of deleted jobs.
    package func pruneJobs(_ ids: [String], finishedBefore cutoff: PruningTime) throws -> Int {
        guard !ids.isEmpty else { return 0 }
        return try deleteJobs(where: "id IN (\(list: ids))", finishedBefore: cutoff, limit: ids.count)
    }

    private func deleteJobs(where condition: SQL, finishedBefore cutoff: PruningTime, limit: Int) throws -> Int {
        let old = try transaction.rows(
            "SELECT id, user_id, kind, state FROM jobs WHERE " + condition
                + """
                 AND state IN ('succeeded', 'failed', 'cancelled') AND finished_at < \(cutoff.moment)
                ORDER BY id LIMIT \(limit)
                """)
        for row in old {
            let id: String = try row["id"]
            try transaction.execute("DELETE FROM jobs WHERE id = \(id)")
            try transaction.execute("DELETE FROM job_attempts WHERE job_id = \(id)")
            let state: JobState = try row["state"]
            // The checkpoints of other jobs were deleted at their ends.
            if state == .failed { try dropCheckpoint(ofJob: id) }
            transaction.moved(.init(userID: try row["user_id"], kind: try row["kind"], from: state, to: nil))
        }
        return old.count
    }

    /// Deletes up to `limit` idempotency keys that are older than `cutoff`; returns how many.
    @discardableResult
    package func pruneIdempotencyKeys(createdBefore cutoff: PruningTime, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM idempotency_keys WHERE (user_id, key) IN (
                SELECT user_id, key FROM idempotency_keys WHERE created_at < \(cutoff.moment) LIMIT \(limit))
            """)
    }

    // MARK: Idempotency keys

    /// What the first request with a key made; `nil` when the key was not used before.
    package func idempotentAnswer(key: String, userID: String) throws -> (fingerprint: String, resourceIDs: [String])? {
        try transaction.row(
            "SELECT fingerprint, resource_ids FROM idempotency_keys WHERE user_id = \(userID) AND key = \(key)"
        ).map {
            let ids: String = try $0["resource_ids"]
            return (try $0["fingerprint"], ids.split(separator: " ").map(String.init))
        }
    }

    /// Deletes an idempotency key before its time.
    package func forgetIdempotentAnswer(key: String, userID: String) throws {
        try transaction.execute("DELETE FROM idempotency_keys WHERE user_id = \(userID) AND key = \(key)")
    }

    /// Stores what the first request with a key made.
    package func rememberIdempotentAnswer(
        key: String, userID: String, fingerprint: String, resourceIDs: [String], now: Timestamp
    ) throws {
        try transaction.execute(
            """
            INSERT INTO idempotency_keys (user_id, key, fingerprint, resource_ids, created_at)
            VALUES (\(userID), \(key), \(fingerprint), \(resourceIDs.joined(separator: " ")), \(now))
            """)
    }

    // MARK: Recurring schedules

    /// Whether a schedule is due; if so, its next time is set in the same transaction. A new schedule is due one
    /// interval from now. A schedule that missed several times is due once. A next time further away than one interval
    /// was set while the clock was ahead, or when the interval was longer; such a schedule is due one interval from
    /// now.
    package func advanceSchedule(name: String, every interval: Duration, now: Timestamp) throws -> Bool {
        let next = now.advanced(by: interval)
        guard let dueAt = try nextTime(ofSchedule: name) else {
            try transaction.execute("INSERT INTO schedules (name, next_at) VALUES (\(name), \(next))")
            return false
        }
        guard dueAt <= now || dueAt > next else { return false }
        try transaction.execute("UPDATE schedules SET next_at = \(next) WHERE name = \(name)")
        return dueAt <= now
    }
}
