import Model
import Storage

extension JobStore {
    /// When a recurring schedule is due next; `nil` for a schedule that has no row yet.
    package func nextTime(ofSchedule name: String) throws -> Timestamp? {
        try transaction.row("SELECT next_at FROM schedules WHERE name = \(name)").map { try $0["next_at"] }
    }

    /// Ids of jobs of a kind that ended before `cutoff`, oldest first. It reads all jobs that are that old.
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
    /// - Parameters:
    ///   - ids: at most 500 ids.
    ///   - future: jobs that ended after it, according to a clock that was ahead, are deleted as well.
    /// - Returns: the number of deleted jobs.
    package func pruneJobs(
        _ ids: [String], finishedBefore cutoff: PruningTime, orAfter future: Timestamp? = nil
    ) throws -> Int {
        guard !ids.isEmpty else { return 0 }
        let named: SQL = "id IN (\(list: ids))"
        let deleted = try deleteJobs(where: named, finishedBefore: cutoff, limit: ids.count)
        guard let future else { return deleted }
        return try deleted + deleteJobs(where: named, finished: "> \(future)", limit: ids.count)
    }

    /// How far ahead of the trusted time a moment must be to count as set by a wrong clock.
    private static var futureSkew: Duration { .seconds(86_400) }

    /// Deletes jobs that were submitted or ended while the clock was ahead, once their time is over: those that were
    /// submitted before `cutoff`, and those whose end is that old. An end in the future is corrected to the present.
    ///
    /// - Parameter now: the trusted present time.
    /// - Returns: the number of jobs that were deleted or corrected.
    package func pruneFutureJobs(finishedBefore cutoff: PruningTime, now: PruningTime, limit: Int) throws -> Int {
        let future = now.moment.advanced(by: Self.futureSkew)
        // Ids begin with the time of creation. Few are from the future, or as old as these.
        let futureIDs: SQL = "id > \(UUIDv7.lowerBound(of: future))"
        let corrected = try transaction.execute(
            """
            UPDATE jobs SET finished_at = \(now.moment) WHERE id IN (
                SELECT id FROM jobs WHERE \(futureIDs) AND finished_at > \(future) ORDER BY id LIMIT \(limit))
            """)
        let oldIDs: SQL = "id < \(UUIDv7.lowerBound(of: cutoff.moment))"
        return corrected
            + (try deleteJobs(where: futureIDs, finished: "< \(cutoff.moment)", limit: limit))
            + (try deleteJobs(where: oldIDs, finished: "> \(future)", limit: limit))
    }

    private func deleteJobs(where condition: SQL, finishedBefore cutoff: PruningTime, limit: Int) throws -> Int {
        try deleteJobs(where: condition, finished: "< \(cutoff.moment)", limit: limit)
    }

    private func deleteJobs(where condition: SQL, finished: SQL, limit: Int) throws -> Int {
        let old = try transaction.rows(
            "SELECT id, user_id, kind, state FROM jobs WHERE " + condition
                + " AND state IN ('succeeded', 'failed', 'cancelled') AND finished_at " + finished
                + " ORDER BY id LIMIT \(limit)")
        for row in old {
            let id: String = try row["id"]
            try transaction.run("DELETE FROM jobs WHERE id = \(id)")
            try transaction.run("DELETE FROM job_attempts WHERE job_id = \(id)")
            let state: JobState = try row["state"]
            // The checkpoints of other jobs were deleted when they ended.
            if state == .failed { try dropCheckpoint(ofJob: id) }
            transaction.moved(.init(userID: try row["user_id"], kind: try row["kind"], from: state, to: nil))
        }
        return old.count
    }

    /// Deletes up to `limit` idempotency keys that are older than `cutoff`; returns their number.
    @discardableResult
    package func pruneIdempotencyKeys(createdBefore cutoff: PruningTime, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM idempotency_keys WHERE (user_id, key) IN (
                SELECT user_id, key FROM idempotency_keys WHERE created_at < \(cutoff.moment) LIMIT \(limit))
            """)
    }

    // MARK: Idempotency keys

    /// What the first request with a key made; `nil` if the key was not used before.
    package func idempotentAnswer(key: String, userID: String) throws -> (fingerprint: String, resourceIDs: [String])? {
        try transaction.row(
            "SELECT fingerprint, resource_ids FROM idempotency_keys WHERE user_id = \(userID) AND key = \(key)"
        ).map {
            let ids: String = try $0["resource_ids"]
            return (try $0["fingerprint"], ids.split(separator: " ").map(String.init))
        }
    }

    /// Deletes an idempotency key before it expires.
    package func forgetIdempotentAnswer(key: String, userID: String) throws {
        try transaction.run("DELETE FROM idempotency_keys WHERE user_id = \(userID) AND key = \(key)")
    }

    /// Stores what the first request with a key made.
    package func rememberIdempotentAnswer(
        key: String, userID: String, fingerprint: String, resourceIDs: [String], now: Timestamp
    ) throws {
        try transaction.run(
            """
            INSERT INTO idempotency_keys (user_id, key, fingerprint, resource_ids, created_at)
            VALUES (\(userID), \(key), \(fingerprint), \(resourceIDs.joined(separator: " ")), \(now))
            """)
    }

    // MARK: Recurring schedules

    /// Whether a schedule is due; if so, its next time is set in the same transaction. A new schedule is due one
    /// interval from now. A schedule that missed several times is due once, and does not shift. A next time further
    /// away than one interval was set while the clock was ahead, or when the interval was longer; such a schedule is
    /// due one interval from now.
    package func advanceSchedule(name: String, every interval: Duration, now: Timestamp) throws -> Bool {
        let oneLater = now.advanced(by: interval)
        guard let dueAt = try nextTime(ofSchedule: name) else {
            try transaction.run("INSERT INTO schedules (name, next_at) VALUES (\(name), \(oneLater))")
            return false
        }
        guard dueAt <= now || dueAt > oneLater else { return false }
        // Counted from the time at which it was due, so that lateness does not accumulate.
        let missed = dueAt.duration(to: now).microseconds / max(1, interval.microseconds)
        let next = dueAt > now ? oneLater : dueAt.advanced(by: .microseconds((missed + 1) * interval.microseconds))
        try transaction.run("UPDATE schedules SET next_at = \(next) WHERE name = \(name)")
        return dueAt <= now
    }
}
