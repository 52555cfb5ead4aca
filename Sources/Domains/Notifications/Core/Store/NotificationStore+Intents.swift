import Model
import NotificationSources
import Storage
import Visibility

extension NotificationStore where Access == WriteTransaction {
    /// Writes that a group is to be pushed to the person's targets. What is already to be pushed reports the new event as
    /// well; what was pushed lately waits for the interval of its kind.
    func intend(
        _ group: Int64, number: Int64, _ source: NotificationSource, channels: Set<NotificationChannel>,
        for person: PersonKey, endsAt: Timestamp, now: Timestamp
    ) throws {
        guard channels.contains(where: \.isPushed) else { return }
        let earliest = now.advanced(by: .zero - source.pushInterval)
        for target in try targets(of: person) where channels.contains(target.channel) {
            // ntfy refuses the person's own token until they post another one.
            guard target.channel != .ntfy || target.refusedAt == nil else { continue }
            let sentAt: Timestamp? = try transaction.row(
                """
                SELECT sent_at FROM push_intents
                WHERE person = \(person) AND group_key = \(group) AND target = \(target.id)
                """)?["sent_at"]
            // A push in the future is from a clock that was ahead.
            let isRecent = sentAt.map { $0 > earliest && $0 <= now } ?? false
            var dueAt = isRecent ? sentAt?.advanced(by: source.pushInterval) ?? now : now
            // A target that is paused waits with what happens meanwhile as well.
            if let pausedUntil = target.pause(at: now) { dueAt = max(dueAt, pausedUntil) }
            try transaction.run(
                """
                INSERT INTO push_intents (
                    person, group_key, target, kind, channel, host, state, number, due_at, ends_at, sent_number, attempts,
                    has_waited)
                VALUES (
                    \(person), \(group), \(target.id), \(source.kind.rawValue), \(target.channel.number), \(target.host),
                    \(PushState.new.sql), \(number), \(dueAt), \(endsAt), 0, 0, 0)
                ON CONFLICT (person, group_key, target) DO UPDATE
                SET number = excluded.number, ends_at = excluded.ends_at,
                    due_at = CASE WHEN push_intents.state = \(PushState.done.sql) THEN excluded.due_at
                        ELSE push_intents.due_at END,
                    state = CASE WHEN push_intents.state = \(PushState.done.sql) THEN \(PushState.new.sql)
                        ELSE push_intents.state END,
                    attempts = CASE WHEN push_intents.state = \(PushState.done.sql) THEN 0 ELSE push_intents.attempts END
                """)
        }
    }

    /// Decides when new intents are due: at once, or a few seconds later for somebody who may be reading, so that their
    /// page can say that it has shown what they are about.
    ///
    /// - Parameter hasStream: whether a person has an open event stream.
    /// - Returns: how many there were.
    package func release(now: Timestamp, limit: Int, hasStream: (_ userID: String) -> Bool) throws -> Int {
        let rows = try transaction.map(
            """
            SELECT push_intents.person AS person, push_intents.group_key AS group_key, push_intents.target AS target,
                push_intents.due_at AS due_at, people.user_id AS user_id
            FROM push_intents JOIN people ON people.key = push_intents.person
            WHERE push_intents.state = \(PushState.new.sql) ORDER BY push_intents.person LIMIT \(limit)
            """
        ) { row in
            (
                key: PushTargetKey(person: try row["person"], id: try row["target"]),
                group: try row["group_key"] as Int64, dueAt: try row["due_at"] as Timestamp,
                userID: try row["user_id"] as String
            )
        }
        for row in rows {
            let pause: Duration = hasStream(row.userID) ? Self.readingTime : .zero
            try transaction.run(
                """
                UPDATE push_intents
                SET state = \(PushState.waiting.sql), due_at = \(max(row.dueAt, now.advanced(by: pause)))
                WHERE person = \(row.key.person) AND group_key = \(row.group) AND target = \(row.key.id)
                """)
        }
        return rows.count
    }

    /// How long a push waits for the page of somebody who may be reading.
    package static var readingTime: Duration { .seconds(5) }
}

extension NotificationStore {
    package func hasNewIntents() throws -> Bool {
        try transaction.row("SELECT 1 FROM push_intents WHERE state = \(PushState.new.sql) LIMIT 1") != nil
    }

    /// Whether there is something to send.
    package func isPushDue(at now: Timestamp) throws -> Bool {
        // Those that a worker has taken and not finished are sent again by the next one.
        try transaction.row(
            """
            SELECT 1 FROM push_intents WHERE state = \(PushState.waiting.sql) AND due_at <= \(now) LIMIT 1
            """) != nil
            || transaction.row("SELECT 1 FROM push_intents WHERE state = \(PushState.taken.sql) LIMIT 1") != nil
    }
}
