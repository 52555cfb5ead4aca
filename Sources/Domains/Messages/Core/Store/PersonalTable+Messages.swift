import Model
import Storage
import Visibility

extension [PersonalTable] {
    /// The tables of messages. A person's messages are emptied before their sides of the threads are deleted.
    package static let messages: Self = [
        PersonalTable(
            "message_sides", keys: ["thread"], owner: person("person"),
            erasure: .steps([.messages, .received, .sides]),
            export: .rows(
                member: "messageThreads",
                [
                    .init(
                        "thread", "id",
                        as: "(SELECT id FROM message_threads WHERE message_threads.key = message_sides.thread)"),
                    // Whom the person does not see is not named: the condition is that of `Facet.act`.
                    .init(
                        "other", "username",
                        as: """
                            (SELECT users.name FROM users JOIN people AS others ON others.user_id = users.id
                            WHERE others.key = message_sides.other AND others.state = 0
                                AND message_sides.last_number > 0
                                AND NOT EXISTS (
                                    SELECT 1 FROM blocks
                                    WHERE blocks.blocker = others.key AND blocks.blocked = message_sides.person))
                            """),
                    .init("sent", "sent", .number), .init("unread", "unread", .number),
                ]),
            omits: [.internals("last_number", "hidden_number", "is_asked", "read_number", "full_at", "reset_change")],
            // Nobody learns who has opened a thread with them, or whom they have declined.
            exportCondition: "message_sides.last_number > 0"),
        PersonalTable(
            "messages", keys: ["number"], owner: person("sender"), erasure: .with("message_sides"),
            export: .rows(
                member: "messages",
                [
                    .init(
                        "thread", "threadId",
                        as: "(SELECT id FROM message_threads WHERE message_threads.key = messages.thread)"),
                    .init("sent_at", "at", .time, as: "messages.sent_at * 1000"),
                    .init(
                        "key_id", "key", .textName,
                        as: """
                            'messages ' || CAST(messages.number AS TEXT) || ' ' || CAST(messages.sender AS TEXT) || ' '
                            || messages.key_id
                            """),
                    .init("sealed", "content", .sealedText),
                ]), omits: [.keys("number", "recipient"), .internals("client", "body", "has_song")],
            exportCondition: "messages.client IS NOT NULL"),
        PersonalTable(
            "messages", keys: ["change"], owner: person("recipient"), erasure: .with("messages"),
            export: .nothing(because: "what others have written is theirs, and is in their exports")),
        PersonalTable(
            "message_settings", keys: ["person"], owner: person("person"), erasure: .with("people"),
            export: .rows(
                member: "messageSettings",
                [
                    .init(
                        "policy", "policy",
                        as: """
                            CASE message_settings.policy WHEN 0 THEN 'anybody' WHEN 1 THEN 'followed' ELSE 'mutual' END
                            """),
                    .init("shows_marks", "showsReadMarks", .flag),
                ])),
        PersonalTable(
            "message_acts", keys: ["other", "day"], owner: person("actor"), erasure: .steps([.acts, .actsTowardThem]),
            export: .rows(
                member: "messageDays", [.init("day", "day"), .init("zone", "timeZone")]), omits: [.keys("other")]),
    ]

    private static func person(_ column: StaticString) -> PersonalTable.Owner {
        .row(column: column, of: "people", key: "key")
    }
}

extension ErasureStep {
    /// What the person has written. The rows stay for the other people, without the person.
    fileprivate static let messages = ofMessages {
        "SELECT number FROM messages WHERE sender = \($0) LIMIT \($1)"
    } erase: { transaction, person, number in
        try transaction.messages.eraseMessage(number, of: person)
    }

    /// What others have written to the person, which stays theirs.
    fileprivate static let received = ofMessages {
        "SELECT number FROM messages WHERE recipient = \($0) LIMIT \($1)"
    } erase: { transaction, person, number in
        try transaction.messages.eraseRecipient(of: number, person: person)
    }

    /// - Parameters:
    ///   - numbers: finds the numbers of messages, up to a limit.
    ///   - erase: erases the person from one of them.
    private static func ofMessages(
        _ numbers: @escaping @Sendable (_ person: PersonKey, _ limit: Int) -> SQL,
        erase:
            @escaping @Sendable (
                _ transaction: WriteTransaction, _ person: PersonKey, _ number: Int64
            ) throws -> Void
    ) -> ErasureStep {
        ErasureStep { reader, userID, limit in
            guard let person = try reader.visibility.key(ofUser: userID) else { return [] }
            return try reader.map(numbers(person, limit)) { Item(String(try $0["number"] as Int64)) }
        } erase: { transaction, userID, keys in
            guard let person = try transaction.visibility.key(ofUser: userID) else { return }
            for number in keys.compactMap({ Int64($0) }) { try erase(transaction, person, number) }
        }
    }

    /// The person's threads. A thread that nobody has any longer takes several steps.
    fileprivate static let sides = ErasureStep { reader, userID, limit in
        guard let person = try reader.visibility.key(ofUser: userID) else { return [] }
        return try reader.map("SELECT thread FROM message_sides WHERE person = \(person) LIMIT \(limit)") {
            Item(String(try $0["thread"] as Int64))
        }
    } erase: { transaction, userID, threads in
        guard let person = try transaction.visibility.key(ofUser: userID) else { return }
        for thread in threads.compactMap({ Int64($0) }) {
            try transaction.messages.eraseSide(of: thread, person: person)
        }
    }

    fileprivate static let acts = ofPairs {
        "SELECT other FROM message_acts WHERE actor = \($0) LIMIT \($1)"
    } delete: { transaction, person, other in
        try ErasureStep.deleteActs(of: person, toward: other, in: transaction)
    }

    fileprivate static let actsTowardThem = ofPairs {
        "SELECT actor AS other FROM message_acts WHERE other = \($0) LIMIT \($1)"
    } delete: { transaction, person, actor in
        try ErasureStep.deleteActs(of: actor, toward: person, in: transaction)
    }

    /// Deletes some days at a time, since two people may have thousands.
    private static func deleteActs(
        of actor: PersonKey, toward other: PersonKey, in transaction: WriteTransaction
    ) throws {
        try transaction.run(
            """
            DELETE FROM message_acts WHERE actor = \(actor) AND other = \(other) AND day IN (
                SELECT day FROM message_acts WHERE actor = \(actor) AND other = \(other) ORDER BY day LIMIT 20)
            """)
    }
}
