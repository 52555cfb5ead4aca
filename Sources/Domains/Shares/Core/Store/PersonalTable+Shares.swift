import Storage
import Visibility

extension [PersonalTable] {
    /// The tables of shares. A person's links, pin and reactions are erased before the shares, and what others have said
    /// of the shares with them.
    package static let shares: Self = [
        PersonalTable(
            "shares", keys: ["number"], owner: person("sender"), erasure: .steps([.reactionsToShares, .shares]),
            export: .rows(
                member: "shares",
                [
                    .init("shared_at", "at", .time, as: "shares.shared_at * 1000"),
                    .init(
                        "content", "title",
                        as: "(SELECT title FROM share_contents WHERE share_contents.key = shares.content)"),
                    .init(
                        "content", "artists",
                        as: "(SELECT artists FROM share_contents WHERE share_contents.key = shares.content)"),
                    .init("message", "message"),
                ]), omits: [.keys("number"), .internals("recipient")]),
        PersonalTable(
            "share_receipts", keys: ["client"], owner: person("sender"), erasure: .steps([.receipts]),
            export: .nothing(because: "hashes, by which a repeated request is recognized")),
        PersonalTable(
            "share_reactions", keys: ["share"], owner: person("person"), erasure: .steps([.reactions]),
            export: .rows(
                member: "shareReactions",
                [
                    // The person may no longer see what they reacted to: the condition is that of `Facet.profile`.
                    .init(
                        "share", "title",
                        as: """
                            (SELECT share_contents.title FROM shares AS reacted
                                JOIN share_contents ON share_contents.key = reacted.content
                                JOIN people AS senders ON senders.key = reacted.sender
                            WHERE reacted.number = share_reactions.share AND senders.state = 0
                                AND (senders.visibility = 2 OR senders.visibility = 1 AND EXISTS (
                                    SELECT 1 FROM follows
                                    WHERE follows.follower = share_reactions.person
                                        AND follows.followed = senders.key))
                                AND NOT EXISTS (
                                    SELECT 1 FROM blocks
                                    WHERE blocks.blocker = share_reactions.person AND blocks.blocked = senders.key)
                                AND NOT EXISTS (
                                    SELECT 1 FROM blocks
                                    WHERE blocks.blocker = senders.key AND blocks.blocked = share_reactions.person))
                            """),
                    .init(
                        "reaction", "reaction",
                        as: """
                            CASE share_reactions.reaction WHEN 1 THEN 'heart' WHEN 2 THEN 'fire' WHEN 3 THEN 'laugh'
                            WHEN 4 THEN 'wow' WHEN 5 THEN 'sad' WHEN 6 THEN 'dance' END
                            """),
                    .init("thanked", "thanked", .flag), .init("reacted_at", "at", .time),
                ]), omits: []),
        PersonalTable(
            "share_changes", keys: ["share"], owner: person("person"), erasure: .steps([.changes]),
            export: .nothing(because: "what the person's devices have to show again")),
        PersonalTable(
            "share_pins", keys: ["person"], owner: person("person"), erasure: .with("people"),
            export: .rows(
                member: "sharePin",
                [
                    .init(
                        "share", "title",
                        as: """
                            (SELECT title FROM share_contents JOIN shares AS pinned ON pinned.content = share_contents.key
                            WHERE pinned.number = share_pins.share)
                            """),
                    .init("ends_at", "endsAt", .time),
                ])),
        PersonalTable(
            "share_links", keys: ["id"], owner: person("sender"), erasure: .steps([.links]),
            export: .rows(
                member: "shareLinks",
                [
                    .init("id", "id"), .init("shows_name", "showsName", .flag),
                    .init("created_at", "createdAt", .time), .init("expires_at", "expiresAt", .time),
                ]), omits: [.keys("share"), .secrets("token")]),
        PersonalTable(
            "share_acts", keys: ["other", "day"], owner: person("actor"), erasure: .steps([.acts, .actsTowardThem]),
            export: .rows(
                member: "shareDays", [.init("day", "day"), .init("zone", "timeZone")]), omits: [.keys("other")]),
    ]

    private static func person(_ column: StaticString) -> PersonalTable.Owner {
        .row(column: column, of: "people", key: "key")
    }
}

extension ErasureStep {
    /// A step that deletes rows of an erased person, each with an integer that names it.
    ///
    /// - Parameters:
    ///   - items: finds the integers, up to a limit.
    ///   - delete: deletes the row with one of them.
    private static func ofItems(
        _ items: @escaping @Sendable (_ person: PersonKey, _ limit: Int) -> SQL,
        delete:
            @escaping @Sendable (
                _ transaction: WriteTransaction, _ person: PersonKey, _ item: Int64
            ) throws -> Void
    ) -> ErasureStep {
        ErasureStep { reader, userID, limit in
            guard let person = try reader.visibility.key(ofUser: userID) else { return [] }
            return try reader.map(items(person, limit)) { Item(String(try $0["item"] as Int64)) }
        } erase: { transaction, userID, keys in
            guard let person = try transaction.visibility.key(ofUser: userID) else { return }
            for key in keys.compactMap({ Int64($0) }) { try delete(transaction, person, key) }
        }
    }

    /// What others have said of the person's shares, some of each share at a time.
    fileprivate static let reactionsToShares = ofItems {
        """
        SELECT number AS item FROM shares
        WHERE sender = \($0) AND EXISTS (SELECT 1 FROM share_reactions WHERE share_reactions.share = shares.number)
        ORDER BY number LIMIT \($1)
        """
    } delete: { transaction, person, number in
        try transaction.shares.eraseReactions(to: number, of: person, limit: 20)
    }

    /// The person's shares.
    fileprivate static let shares = ofItems {
        "SELECT number AS item FROM shares WHERE sender = \($0) ORDER BY number LIMIT \($1)"
    } delete: { transaction, person, number in
        try transaction.shares.eraseShare(number, of: person)
    }

    fileprivate static let receipts = ofItems {
        "SELECT client AS item FROM share_receipts WHERE sender = \($0) LIMIT \($1)"
    } delete: { transaction, person, client in
        try transaction.run("DELETE FROM share_receipts WHERE sender = \(person) AND client = \(client)")
    }

    /// What the person has said of shares.
    fileprivate static let reactions = ofItems {
        "SELECT share AS item FROM share_reactions WHERE person = \($0) ORDER BY share LIMIT \($1)"
    } delete: { transaction, person, share in
        try transaction.shares.withdraw(share, by: person)
    }

    fileprivate static let changes = ofItems {
        "SELECT share AS item FROM share_changes WHERE person = \($0) LIMIT \($1)"
    } delete: { transaction, person, share in
        try transaction.run("DELETE FROM share_changes WHERE person = \(person) AND share = \(share)")
    }

    fileprivate static let links = ErasureStep { reader, userID, limit in
        guard let person = try reader.visibility.key(ofUser: userID) else { return [] }
        return try reader.map("SELECT id FROM share_links WHERE sender = \(person) LIMIT \(limit)") {
            Item(try $0["id"])
        }
    } erase: { transaction, userID, ids in
        guard let person = try transaction.visibility.key(ofUser: userID) else { return }
        for id in ids { try transaction.run("DELETE FROM share_links WHERE id = \(id) AND sender = \(person)") }
    }

    fileprivate static let acts = ofPairs {
        "SELECT other FROM share_acts WHERE actor = \($0) LIMIT \($1)"
    } delete: { transaction, person, other in
        // One day after the other, since a person may have thousands.
        try transaction.run(
            """
            DELETE FROM share_acts WHERE actor = \(person) AND other = \(other) AND day IN (
                SELECT day FROM share_acts WHERE actor = \(person) AND other = \(other) ORDER BY day LIMIT 20)
            """)
    }

    fileprivate static let actsTowardThem = ofPairs {
        "SELECT actor AS other FROM share_acts WHERE other = \($0) AND other > 0 LIMIT \($1)"
    } delete: { transaction, person, actor in
        try transaction.run("DELETE FROM share_acts WHERE actor = \(actor) AND other = \(person)")
    }
}
