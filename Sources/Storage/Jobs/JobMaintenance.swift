import Model

extension JobStore {
    /// When a recurring schedule is due next; `nil` before it was first seen.
    package func nextTime(ofSchedule name: String) throws -> Timestamp? {
        try transaction.row("SELECT next_at FROM schedules WHERE name = \(name)").map { try $0["next_at"] }
    }

    /// Finished jobs of one kind that ended before `cutoff`, oldest first. It reads all jobs that are as old.
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
    /// Deletes finished jobs, oldest first, that ended before `cutoff`; returns how many. Dead letters
    /// go with the others: they have had their time to be seen.
    ///
    /// - Parameter exempt: kinds whose jobs are kept for another time.
    package func pruneJobs(finishedBefore cutoff: PruningTime, exempt: [String] = [], limit: Int) throws -> Int {
        // Ids begin with the time of creation, so the scan ends where the younger ones begin.
        var condition: SQL = "id < \(UUIDv7.lowerBound(of: cutoff.moment))"
        if !exempt.isEmpty { condition = condition + " AND kind NOT IN (\(list: exempt))" }
        return try deleteJobs(where: condition, finishedBefore: cutoff, limit: limit)
    }

    /// Deletes those of `ids` that have ended before `cutoff`; returns how many.
    ///
    /// - Parameter ids: 500 at most.
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
            // Others lost it with their end.
            if state == .failed { try dropCheckpoint(ofJob: id) }
            transaction.moved(.init(userID: try row["user_id"], kind: try row["kind"], from: state, to: nil))
        }
        return old.count
    }

    /// Forgets what up to `limit` old idempotency keys were answered with; returns how many.
    @discardableResult
    package func pruneIdempotencyKeys(createdBefore cutoff: PruningTime, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM idempotency_keys WHERE (user_id, key) IN (
                SELECT user_id, key FROM idempotency_keys WHERE created_at < \(cutoff.moment) LIMIT \(limit))
            """)
    }

    // MARK: Idempotency keys

    /// What a key was answered with, if it was used before.
    package func idempotentAnswer(key: String, userID: String) throws -> (fingerprint: String, resourceIDs: [String])? {
        try transaction.row(
            "SELECT fingerprint, resource_ids FROM idempotency_keys WHERE user_id = \(userID) AND key = \(key)"
        ).map {
            let ids: String = try $0["resource_ids"]
            return (try $0["fingerprint"], ids.split(separator: " ").map(String.init))
        }
    }

    /// Ends a key before its time.
    package func forgetIdempotentAnswer(key: String, userID: String) throws {
        try transaction.execute("DELETE FROM idempotency_keys WHERE user_id = \(userID) AND key = \(key)")
    }

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

    /// Whether a schedule is due; if so its next time is set in the same transaction. A schedule that
    /// is seen for the first time is due one interval from now; missed times are made up for once. A time that is
    /// further away than one interval was set by a clock that was ahead, or when the interval was longer: such a
    /// schedule is due one interval from now as well.
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
