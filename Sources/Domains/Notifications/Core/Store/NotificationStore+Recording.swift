import DomainEvents
import Model
import NotificationSources
import Storage
import Visibility

extension NotificationStore where Access == WriteTransaction {
    /// Records that something happened of which a person wants to be notified, and what is to be pushed. The same item
    /// again changes nothing.
    ///
    /// Nothing is recorded of somebody whom the person cannot see, or of whom they do not want to be notified.
    package func record(
        _ event: PersonNotified, kinds: NotificationKinds, accounts: NotifiedAccounts, now: Timestamp
    ) throws {
        guard let source = kinds[event.kind], event.itemID.utf8.count <= NotificationLimits.keyBytes,
            event.subject.utf8.count <= NotificationLimits.keyBytes,
            let viewer = try transaction.visibility.viewer(userID: event.recipientID)
        else { return }
        var actor: PersonKey?
        if let actorID = event.actorID {
            guard let relation = try transaction.visibility.relation(of: viewer, to: actorID), !relation.isSelf,
                relation.canSee(.act), try !source.asksPolicy || allows(relation, by: viewer.key)
            else { return }
            actor = relation.person.key
        }
        let channels = try channels(of: source, for: viewer.key)
        guard !channels.isEmpty else { return }
        let isKnown = try transaction.row(
            """
            SELECT 1 FROM notification_events
            WHERE person = \(viewer.key) AND kind = \(event.kind.rawValue) AND item = \(event.itemID)
            """)
        guard isKnown == nil else { return }
        let day = WallClock(zone: try accounts.zone(transaction, event.recipientID)).day(event.time)
        guard let group = try group(of: event, on: day, for: viewer.key, actor: actor) else { return }
        let number = try transaction.nextChange()
        try transaction.run(
            """
            INSERT INTO notification_events (person, group_key, number, kind, item, actor, happened_at)
            VALUES (
                \(viewer.key), \(group), \(number), \(event.kind.rawValue), \(event.itemID), \(actor), \(event.time))
            """)
        let hasMore = try dropEvents(of: group, for: viewer.key, actor: actor)
        let flags: SQL = (hasMore ? ", has_more = 1" : "") + (channels.contains(.page) ? ", is_listed = 1" : "")
        try transaction.run(
            """
            UPDATE notification_groups SET number = \(number), change = \(number), last_at = \(event.time) \(flags)
            WHERE person = \(viewer.key) AND key = \(group)
            """)
        if channels.contains(.page) { transaction.recordChange(of: [event.recipientID], topic: .notifications) }
        try intend(
            group, number: number, source, channels: channels, for: viewer.key,
            endsAt: event.time.advanced(by: source.usefulFor ?? NotificationLimits.usefulFor), now: now)
    }

    private func allows(_ relation: Relation, by person: PersonKey) throws -> Bool {
        switch try choices(of: person).policy {
        case .anybody: true
        case .followed: relation.isFollowing
        case .mutual: relation.isFollowing && relation.followsViewer
        }
    }

    /// The key of the event's group, which is made if it is new.
    ///
    /// - Returns: `nil` for a new group of somebody who has begun too many.
    private func group(
        of event: PersonNotified, on day: String, for person: PersonKey, actor: PersonKey?
    ) throws -> Int64? {
        let known: Int64? = try transaction.row(
            """
            SELECT key FROM notification_groups
            WHERE person = \(person) AND kind = \(event.kind.rawValue) AND subject = \(event.subject) AND day = \(day)
            """)?["key"]
        if let known { return known }
        if let actor, try hasBegunTooMany(actor, for: person, at: event.time) { return nil }
        let key = try transaction.nextChange()
        try transaction.run(
            """
            INSERT INTO notification_groups (
                person, key, kind, subject, day, number, change, has_more, is_listed, last_at)
            VALUES (
                \(person), \(key), \(event.kind.rawValue), \(event.subject), \(day), \(key), \(key), 0, 0,
                \(event.time))
            """)
        return key
    }

    private func hasBegunTooMany(_ actor: PersonKey, for person: PersonKey, at time: Timestamp) throws -> Bool {
        let limit = NotificationLimits.groupsOfActor
        let groups: Int =
            try transaction.row(
                """
                SELECT COUNT(*) AS count FROM (
                    SELECT DISTINCT group_key FROM notification_events
                    WHERE actor = \(actor) AND person = \(person) AND happened_at > \(time.advanced(by: .seconds(-86_400)))
                    LIMIT \(limit)) AS counted
                """)?["count"] ?? 0
        return groups >= limit
    }

    /// Deletes the oldest events of a group that has more than are kept.
    ///
    /// - Returns: whether there were any.
    private func dropEvents(of group: Int64, for person: PersonKey, actor: PersonKey?) throws -> Bool {
        var dropped = 0
        if let actor {
            dropped += try transaction.execute(
                """
                DELETE FROM notification_events
                WHERE person = \(person) AND group_key = \(group) AND actor = \(actor) AND number <= (
                    SELECT number FROM notification_events AS kept
                    WHERE kept.person = \(person) AND kept.group_key = \(group) AND kept.actor = \(actor)
                    ORDER BY kept.number DESC LIMIT 1 OFFSET \(NotificationLimits.eventsOfActor))
                """)
        }
        dropped += try transaction.execute(
            """
            DELETE FROM notification_events
            WHERE person = \(person) AND group_key = \(group) AND number <= (
                SELECT number FROM notification_events AS kept
                WHERE kept.person = \(person) AND kept.group_key = \(group)
                ORDER BY kept.number DESC LIMIT 1 OFFSET \(NotificationLimits.events))
            """)
        return dropped > 0
    }

    /// Ends the notification of something that is gone.
    package func withdraw(_ withdrawal: NotificationWithdrawn) throws {
        guard let person = try transaction.visibility.key(ofUser: withdrawal.recipientID) else { return }
        let group: Int64? = try transaction.row(
            """
            SELECT group_key FROM notification_events
            WHERE person = \(person) AND kind = \(withdrawal.kind.rawValue) AND item = \(withdrawal.itemID)
            """)?["group_key"]
        guard let group else { return }
        try transaction.run(
            """
            DELETE FROM notification_events
            WHERE person = \(person) AND kind = \(withdrawal.kind.rawValue) AND item = \(withdrawal.itemID)
            """)
        try eventsRemoved(from: [group], of: person, userID: withdrawal.recipientID)
    }

    /// Ends the notifications of a subject that is gone.
    package func withdraw(_ withdrawal: NotificationSubjectWithdrawn) throws {
        guard let person = try transaction.visibility.key(ofUser: withdrawal.recipientID) else { return }
        // One for each day, of which there are few.
        let groups = try transaction.map(
            """
            SELECT key FROM notification_groups
            WHERE person = \(person) AND kind = \(withdrawal.kind.rawValue) AND subject = \(withdrawal.subject)
            """
        ) { try $0["key"] as Int64 }
        guard !groups.isEmpty else { return }
        for part in groups.listParts {
            try transaction.run(
                "DELETE FROM notification_events WHERE person = \(person) AND group_key IN (\(list: part))")
        }
        try eventsRemoved(from: groups, of: person, userID: withdrawal.recipientID)
    }
}
