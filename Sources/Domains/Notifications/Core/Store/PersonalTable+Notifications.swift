import Model
import Storage
import Visibility

extension [PersonalTable] {
    /// The tables of notifications and pushes. The events about a person at others are erased with those of the person.
    package static let notifications: Self = [
        PersonalTable(
            "notification_groups", keys: ["key"], owner: person("person"), erasure: .rows,
            export: .rows(
                member: "notifications",
                [
                    .init("kind", "kind"), .init("subject", "subject"), .init("day", "day"),
                    .init("last_at", "lastAt", .time),
                ]), omits: [.keys("key"), .internals("number", "has_more", "is_listed")]),
        PersonalTable(
            "notification_events", keys: ["group_key", "number"], owner: person("person"),
            erasure: .steps([.ownEvents, .eventsAtOthers]),
            export: .nothing(because: "keys of rows that are exported by their own domains")),
        PersonalTable(
            "notification_marks", keys: ["person"], owner: person("person"), erasure: .with("people"),
            export: .nothing(because: "how far the person has read the notifications")),
        PersonalTable(
            "notification_channels", keys: ["kind"], owner: person("person"), erasure: .with("people"),
            export: .rows(
                member: "notificationChannels",
                [.init("kind", "kind"), .init("channels", "channels", .number)])),
        PersonalTable(
            "notification_settings", keys: ["person"], owner: person("person"), erasure: .with("people"),
            export: .rows(
                member: "notificationSettings",
                [
                    .init("quiet_start", "quietStartMinutes", .number),
                    .init("quiet_end", "quietEndMinutes", .number),
                    .init(
                        "policy", "policy",
                        as: """
                            CASE notification_settings.policy WHEN 0 THEN 'anybody' WHEN 1 THEN 'followed'
                            ELSE 'mutual' END
                            """),
                ])),
        PersonalTable(
            "push_targets", keys: ["id"], owner: person("person"), erasure: .with("people"),
            export: .rows(
                member: "pushTargets",
                [
                    .init("id", "id"), .init("host", "host"), .init("created_at", "createdAt", .time),
                    .init("confirmed_at", "confirmedAt", .time), .init("sent_at", "sentAt", .time),
                ]),
            omits: [.secrets("fingerprint", "credential"), .internals("channel", "refused_at", "paused_until")]),
        PersonalTable(
            "push_intents", keys: ["group_key", "target"], owner: person("person"), erasure: .rows,
            export: .nothing(because: "which notifications were pushed, or wait to be")),
    ]

    private static func person(_ column: StaticString) -> PersonalTable.Owner {
        .row(column: column, of: "people", key: "key")
    }
}

extension ErasureStep {
    /// What the person was notified of.
    fileprivate static let ownEvents = ErasureStep { reader, userID, limit in
        guard let person = try reader.visibility.key(ofUser: userID) else { return [] }
        return try reader.map(
            "SELECT group_key, number FROM notification_events WHERE person = \(person) LIMIT \(limit)"
        ) { Item("\(try $0["group_key"] as Int64) \(try $0["number"] as Int64)") }
    } erase: { transaction, userID, keys in
        guard let person = try transaction.visibility.key(ofUser: userID) else { return }
        for key in keys.map(Self.numbers) where key.count == 2 {
            try transaction.run(
                "DELETE FROM notification_events WHERE person = \(person) AND group_key = \(key[0]) AND number = \(key[1])"
            )
        }
    }

    /// What others were notified of about the person. Their lists change in the transaction that deletes the event.
    fileprivate static let eventsAtOthers = ErasureStep { reader, userID, limit in
        guard let actor = try reader.visibility.key(ofUser: userID) else { return [] }
        return try reader.map(
            "SELECT person, number FROM notification_events WHERE actor = \(actor) LIMIT \(limit)"
        ) { Item("\(try $0["person"] as Int64) \(try $0["number"] as Int64)") }
    } erase: { transaction, userID, keys in
        guard let actor = try transaction.visibility.key(ofUser: userID) else { return }
        for key in keys.map(Self.numbers) where key.count == 2 {
            try transaction.notifications.eraseEvent(key[1], by: actor, of: PersonKey(rawValue: key[0]))
        }
    }

    private static func numbers(_ key: String) -> [Int64] {
        key.split(separator: " ").compactMap { Int64(decimal: $0, in: 0...Int64.max) }
    }
}
