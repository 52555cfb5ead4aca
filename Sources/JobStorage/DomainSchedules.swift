import Model
import Storage

/// A domain's recurring job for a person.
package struct DomainSchedule: Sendable, Hashable {
    /// The name of the job's kind.
    package let kind: String
    package let userID: String
    package let every: Duration
    /// When the job is due next.
    package let nextAt: Timestamp
    /// When `nextAt` was set.
    let plannedAt: Timestamp

    /// Whether the schedule is due, and its next time. A late schedule is due once. Its next time is a multiple of the
    /// interval after `nextAt`, give or take a little jitter, so that schedules stay spread over time. A schedule that
    /// was set while the clock was ahead starts over.
    ///
    /// - Returns: `nil` while it is not due.
    func following(now: Timestamp, using generator: inout some RandomNumberGenerator) -> (isDue: Bool, next: Timestamp)?
    {
        let interval = every.microseconds
        guard plannedAt <= now else { return (false, Self.firstTime(every: every, now: now, using: &generator)) }
        guard nextAt <= now else { return nil }
        let missed = nextAt.duration(to: now).microseconds / interval
        let jitter = Int64.random(in: -Self.jitter(of: every)...Self.jitter(of: every), using: &generator)
        let next = nextAt.advanced(by: .microseconds((missed + 1) * interval + jitter))
        return (true, max(next, now.advanced(by: .seconds(1))))
    }

    /// A random moment within the first interval, so that schedules that are set together are not due together.
    static func firstTime(
        every: Duration, now: Timestamp, using generator: inout some RandomNumberGenerator
    ) -> Timestamp {
        now.advanced(by: .microseconds(Int64.random(in: 0..<every.microseconds, using: &generator)))
    }

    /// The jitter in microseconds: a fiftieth of the interval, but at most a minute.
    private static func jitter(of interval: Duration) -> Int64 {
        min(interval.microseconds / 50, 60_000_000)
    }
}

extension JobStore {
    /// Whether a schedule is due, or was set while the clock was ahead. It reads the ends of two indexes, regardless of
    /// the number of schedules.
    package func areSchedulesDue(now: Timestamp) throws -> Bool {
        let ends = try transaction.row(
            """
            SELECT (SELECT MIN(next_at) FROM domain_schedules) AS first_due,
                (SELECT MAX(planned_at) FROM domain_schedules) AS last_planned
            """)
        guard let ends else { return false }
        let (due, planned): (Timestamp?, Timestamp?) = (try ends["first_due"], try ends["last_planned"])
        return due.map { $0 <= now } ?? false || planned.map { $0 > now } ?? false
    }

    /// A person's schedule for a kind.
    package func schedule(kind: String, userID: String) throws -> DomainSchedule? {
        try transaction.row(
            """
            SELECT kind, user_id, every, next_at, planned_at FROM domain_schedules
            WHERE kind = \(kind) AND user_id = \(userID)
            """
        ).map(DomainSchedule.init)
    }

    /// People with a schedule for a kind, after and up to an id; `nil` for all after it.
    package func scheduledPeople(kind: String, after userID: String, upTo end: String?) throws -> [String] {
        let limit: SQL = end.map { "AND user_id <= \($0)" } ?? ""
        return try transaction.rows(
            "SELECT user_id FROM domain_schedules WHERE kind = \(kind) AND user_id > \(userID) \(limit)"
        ).map { try $0["user_id"] }
    }
}

extension JobStore where Access == WriteTransaction {
    /// Sets a recurring job of a kind for a person, first due at a random moment within the interval. Setting it again
    /// with the same interval changes nothing; with another interval it starts over.
    ///
    /// - Parameters:
    ///   - kind: the kind's name. The jobs have the payload `{}`.
    ///   - every: the interval; less than a second counts as a second.
    package func setSchedule(kind: String, userID: String, every: Duration, now: Timestamp) throws {
        let every = max(every, .seconds(1))
        if let present = try schedule(kind: kind, userID: userID), present.every == every { return }
        var generator = SystemRandomNumberGenerator()
        let first = DomainSchedule.firstTime(every: every, now: now, using: &generator)
        try transaction.run(
            """
            INSERT INTO domain_schedules (kind, user_id, every, next_at, planned_at)
            VALUES (\(kind), \(userID), \(every.microseconds), \(first), \(now))
            ON CONFLICT (kind, user_id) DO UPDATE
            SET every = excluded.every, next_at = excluded.next_at, planned_at = excluded.planned_at
            """)
    }

    /// Has a schedule's next job submitted at a moment, if it would be later. Its further times follow from that one.
    /// Without the schedule nothing happens.
    package func hastenSchedule(kind: String, userID: String, to moment: Timestamp, now: Timestamp) throws {
        try transaction.run(
            """
            UPDATE domain_schedules SET next_at = \(moment), planned_at = \(now)
            WHERE kind = \(kind) AND user_id = \(userID) AND next_at > \(moment)
            """)
    }

    /// Removes a schedule. Jobs that it has submitted remain.
    package func removeSchedule(kind: String, userID: String) throws {
        try transaction.run("DELETE FROM domain_schedules WHERE kind = \(kind) AND user_id = \(userID)")
    }

    /// Sets the next time of due schedules, longest overdue first. Schedules that were set while the clock was ahead
    /// get a new time and are not due.
    ///
    /// - Parameter limit: the most schedules of each of the two groups to change.
    /// - Returns: the due schedules, and whether there may be more.
    package func advanceSchedules(
        now: Timestamp, limit: Int, using generator: inout some RandomNumberGenerator
    ) throws -> (due: [DomainSchedule], hasMore: Bool) {
        let columns: SQL = "SELECT kind, user_id, every, next_at, planned_at FROM domain_schedules WHERE "
        let ahead = try transaction.rows(columns + "planned_at > \(now) ORDER BY planned_at DESC LIMIT \(limit)")
        let late = try transaction.rows(
            columns + "next_at <= \(now) AND planned_at <= \(now) ORDER BY next_at LIMIT \(limit)")
        var due: [DomainSchedule] = []
        for row in ahead + late {
            let schedule = try DomainSchedule(row: row)
            guard let (isDue, next) = schedule.following(now: now, using: &generator) else { continue }
            if isDue { due.append(schedule) }
            try transaction.run(
                """
                UPDATE domain_schedules SET next_at = \(next), planned_at = \(now)
                WHERE kind = \(schedule.kind) AND user_id = \(schedule.userID)
                """)
        }
        return (due, ahead.count == limit || late.count == limit)
    }
}

extension DomainSchedule {
    fileprivate init(row: Row) throws {
        kind = try row["kind"]
        userID = try row["user_id"]
        every = .microseconds(try row["every"] as Int64)
        nextAt = try row["next_at"]
        plannedAt = try row["planned_at"]
    }
}
