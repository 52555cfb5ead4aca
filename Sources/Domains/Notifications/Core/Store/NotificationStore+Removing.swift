import Model
import NotificationSources
import Storage
import Visibility

extension NotificationStore where Access == WriteTransaction {
    /// Ends what two people were notified of each other, with what is to be pushed of it, when one blocks the other.
    package func separate(_ one: String, _ other: String) throws {
        guard let first = try transaction.visibility.key(ofUser: one),
            let second = try transaction.visibility.key(ofUser: other)
        else { return }
        try removeEvents(by: second, of: first, userID: one)
        try removeEvents(by: first, of: second, userID: other)
    }

    private func removeEvents(by actor: PersonKey, of person: PersonKey, userID: String) throws {
        // With DISTINCT, SQLite would read all events of the person in the order of their groups.
        let events = try transaction.map(
            "SELECT group_key FROM notification_events WHERE actor = \(actor) AND person = \(person)"
        ) { try $0["group_key"] as Int64 }
        guard !events.isEmpty else { return }
        try transaction.run("DELETE FROM notification_events WHERE actor = \(actor) AND person = \(person)")
        try eventsRemoved(from: Set(events).sorted(), of: person, userID: userID)
    }

    /// Deletes the event of an actor who is being erased.
    func eraseEvent(_ number: Int64, by actor: PersonKey, of person: PersonKey) throws {
        let group: Int64? = try transaction.row(
            """
            SELECT group_key FROM notification_events
            WHERE actor = \(actor) AND person = \(person) AND number = \(number)
            """)?["group_key"]
        guard let group else { return }
        try transaction.run(
            """
            DELETE FROM notification_events
            WHERE person = \(person) AND group_key = \(group) AND number = \(number) AND actor = \(actor)
            """)
        guard let userID = try transaction.visibility.userIDs(of: [person])[person] else { return }
        try eventsRemoved(from: [group], of: person, userID: userID)
    }

    /// Updates groups that have lost events: an empty one ends, and so does what was to be pushed of events that are
    /// gone.
    func eventsRemoved(from groups: [Int64], of person: PersonKey, userID: String) throws {
        for part in groups.listParts {
            try endIntents(of: part, for: person)
            let empty = try transaction.map(
                """
                SELECT key, is_listed FROM notification_groups
                WHERE person = \(person) AND key IN (\(list: part)) AND NOT EXISTS (
                    SELECT 1 FROM notification_events
                    WHERE notification_events.person = \(person)
                        AND notification_events.group_key = notification_groups.key)
                """
            ) { (key: try $0["key"] as Int64, isListed: try $0["is_listed"] as Bool) }
            try transaction.run(
                "DELETE FROM push_intents WHERE person = \(person) AND group_key IN (\(list: empty.map(\.key)))")
            try transaction.run(
                "DELETE FROM notification_groups WHERE person = \(person) AND key IN (\(list: empty.map(\.key)))")
            try transaction.recordGone(
                .notification, ids: empty.filter(\.isListed).map { String($0.key) }, userID: userID)
            try transaction.run(
                """
                UPDATE notification_groups SET change = \(try transaction.nextChange()), number = (
                    SELECT MAX(notification_events.number) FROM notification_events
                    WHERE notification_events.person = \(person)
                        AND notification_events.group_key = notification_groups.key)
                WHERE person = \(person) AND key IN (\(list: part)) AND EXISTS (
                    SELECT 1 FROM notification_events
                    WHERE notification_events.person = \(person)
                        AND notification_events.group_key = notification_groups.key)
                """)
        }
        transaction.recordChange(of: [userID], topic: .notifications)
    }

    /// Ends what was to be pushed of events that are gone. The rows stay, since they say which of the other events were
    /// pushed, and when; what is left to be pushed has the number of the last event that is left, by which it is read.
    private func endIntents(of groups: ArraySlice<Int64>, for person: PersonKey) throws {
        try transaction.run(
            """
            UPDATE push_intents SET state = \(PushState.done.sql), sent_number = number, has_waited = 0
            WHERE person = \(person) AND group_key IN (\(list: groups)) AND state <> \(PushState.done.sql)
                AND NOT EXISTS (
                    SELECT 1 FROM notification_events
                    WHERE notification_events.person = \(person)
                        AND notification_events.group_key = push_intents.group_key
                        AND notification_events.number > push_intents.sent_number)
            """)
        try transaction.run(
            """
            UPDATE push_intents SET number = (
                SELECT MAX(notification_events.number) FROM notification_events
                WHERE notification_events.person = \(person)
                    AND notification_events.group_key = push_intents.group_key)
            WHERE person = \(person) AND group_key IN (\(list: groups)) AND state <> \(PushState.done.sql)
            """)
    }

    /// Deletes up to `limit` groups whose last event was before a moment.
    ///
    /// - Returns: their number.
    package func prune(lastBefore time: PruningTime, limit: Int) throws -> Int {
        let groups = try transaction.map(
            """
            SELECT person, key FROM notification_groups
            WHERE last_at < \(time.moment) ORDER BY last_at LIMIT \(limit)
            """
        ) { (person: try $0["person"] as PersonKey, key: try $0["key"] as Int64) }
        for group in groups {
            try transaction.run(
                "DELETE FROM push_intents WHERE person = \(group.person) AND group_key = \(group.key)")
            try transaction.run(
                "DELETE FROM notification_events WHERE person = \(group.person) AND group_key = \(group.key)")
            try transaction.run("DELETE FROM notification_groups WHERE person = \(group.person) AND key = \(group.key)")
        }
        return groups.count
    }
}
