import DomainEvents
import Model
import NotificationSources
import Storage
import Visibility

extension NotificationStore {
    /// What a person has chosen besides the channels of kinds.
    package func choices(of person: PersonKey) throws -> NotificationChoices {
        let row = try transaction.row(
            "SELECT quiet_start, quiet_end, policy FROM notification_settings WHERE person = \(person)")
        guard let row else { return NotificationChoices() }
        let (start, end): (Int?, Int?) = (try row["quiet_start"], try row["quiet_end"])
        var hours: QuietHours?
        if let start, let end { hours = QuietHours(start: start, end: end) }
        return NotificationChoices(quietHours: hours, policy: NotificationPolicy(number: try row["policy"]))
    }

    /// The channels of a kind for a person.
    func channels(of source: NotificationSource, for person: PersonKey) throws -> Set<NotificationChannel> {
        let chosen: Int64? = try transaction.row(
            """
            SELECT channels FROM notification_channels
            WHERE person = \(person) AND kind = \(source.kind.rawValue)
            """)?["channels"]
        return chosen.map(Set.init(number:)) ?? source.channels
    }

    /// The channels of the kinds for which a person has chosen them.
    package func chosenChannels(of person: PersonKey) throws -> [NotificationKind: Set<NotificationChannel>] {
        try transaction.rows("SELECT kind, channels FROM notification_channels WHERE person = \(person)")
            .reduce(into: [:]) { chosen, row in
                chosen[NotificationKind(rawValue: try row["kind"])] = Set(number: try row["channels"])
            }
    }
}

extension NotificationStore where Access == WriteTransaction {
    /// Changes what a person has chosen.
    ///
    /// - Parameters:
    ///   - channels: of the kinds to change.
    ///   - change: changes the rest.
    /// - Throws: ``NotificationRefusal``.
    package func choose(
        channels: [NotificationKind: Set<NotificationChannel>], of userID: String, kinds: NotificationKinds,
        change: (inout NotificationChoices) -> Void
    ) throws {
        let person = try person(userID)
        for (kind, chosen) in channels.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard kinds[kind] != nil else { throw NotificationRefusal.unknownKind(kind.rawValue) }
            try transaction.run(
                """
                INSERT INTO notification_channels (person, kind, channels)
                VALUES (\(person), \(kind.rawValue), \(chosen.number))
                ON CONFLICT (person, kind) DO UPDATE SET channels = excluded.channels
                """)
        }
        let former = try choices(of: person)
        var choices = former
        change(&choices)
        guard choices != former else { return }
        try transaction.run(
            """
            INSERT INTO notification_settings (person, quiet_start, quiet_end, policy)
            VALUES (
                \(person), \(choices.quietHours?.start), \(choices.quietHours?.end), \(choices.policy.number))
            ON CONFLICT (person) DO UPDATE
            SET quiet_start = excluded.quiet_start, quiet_end = excluded.quiet_end, policy = excluded.policy
            """)
        if choices.quietHours != former.quietHours { try reconsiderQuietHours(of: person) }
    }

    /// Has what waits for the end of quiet hours looked at again, since the hours or the zone have changed. A target
    /// that is paused still gets nothing: `take` has it wait.
    package func reconsiderQuietHours(of person: PersonKey) throws {
        try transaction.run(
            """
            UPDATE push_intents SET due_at = 0
            WHERE person = \(person) AND state = \(PushState.waiting.sql) AND has_waited = 1
            """)
    }
}
