import Storage

extension [PersonalTable] {
    /// The tables of follows and blocks. Erasing goes in reverse order, so that the row of `people`, by whose state
    /// everything of the person is invisible, is deleted last. Those with whom something has changed are notified after
    /// the followers, who know already. The export has the names of the others that the lists of the person show
    /// (``PeopleList``).
    package static let visibility: Self = [
        PersonalTable(
            "people", keys: ["key"], erasure: .rows,
            export: .rows(
                member: "visibility",
                [
                    .init(
                        "visibility", "profileVisibility",
                        as: "CASE people.visibility WHEN 2 THEN 'public' WHEN 1 THEN 'followers' ELSE 'private' END"),
                    .init("shows_stats", "showListeningStats", .flag),
                    .init(
                        "state", "isSuspended", .flag, as: "CASE WHEN people.state = 1 THEN 1 ELSE 0 END"),
                ]), omits: [.keys("key")]),
        PersonalTable(
            "blocks", keys: ["blocked"], owner: person("blocker"),
            erasure: .steps([.blocked, .blockers]),
            export: .rows(
                member: "blocked",
                [
                    .init(
                        "blocked", "username",
                        as: """
                            (SELECT users.name FROM users JOIN people AS others ON others.user_id = users.id
                            WHERE others.key = blocks.blocked AND others.state = 0)
                            """),
                    .init("blocked_at", "since", .time),
                ])),
        PersonalTable(
            "relation_changes", keys: ["other"], owner: person("person"),
            erasure: .steps([.relations]),
            export: .nothing(because: "what the person's devices have to show again, which follows from the lists")),
        PersonalTable(
            "follows", keys: ["followed"], owner: person("follower"),
            erasure: .steps([.followed, .followers]),
            export: .rows(
                member: "following",
                [
                    .init(
                        "followed", "username",
                        as: """
                            (SELECT users.name FROM users JOIN people AS others ON others.user_id = users.id
                            WHERE others.key = follows.followed AND others.state = 0 AND others.visibility > 0)
                            """),
                    .init("followed_at", "since", .time),
                ])),
        PersonalTable(
            "follows", keys: ["change"], owner: person("followed"), erasure: .with("follows"),
            export: .rows(
                member: "followers",
                [
                    .init(
                        "follower", "username",
                        as: """
                            (SELECT users.name FROM users JOIN people AS others ON others.user_id = users.id
                            WHERE others.key = follows.follower AND others.state = 0)
                            """),
                    .init("followed_at", "since", .time),
                ])),
        PersonalTable(
            "act_limits", keys: ["kind"], owner: person("person"), erasure: .with("people"),
            export: .nothing(because: "only how often the person may still act today")),
    ]

    private static func person(_ column: StaticString) -> PersonalTable.Owner {
        .row(column: column, of: "people", key: "key")
    }
}

extension ErasureStep {
    /// A step that deletes rows between an erased person and others.
    ///
    /// - Parameters:
    ///   - others: finds the keys of the others, up to a limit.
    ///   - delete: deletes the row of the person and one of the others.
    package static func ofPairs(
        _ others: @escaping @Sendable (_ person: PersonKey, _ limit: Int) -> SQL,
        delete:
            @escaping @Sendable (
                _ transaction: WriteTransaction, _ person: PersonKey, _ other: PersonKey
            ) throws -> Void
    ) -> ErasureStep {
        ErasureStep { reader, userID, limit in
            guard let person = try reader.visibility.key(ofUser: userID) else { return [] }
            return try reader.map(others(person, limit)) { row in Item(String(try row["other"] as Int64)) }
        } erase: { transaction, userID, keys in
            guard let person = try transaction.visibility.key(ofUser: userID) else { return }
            for key in keys.compactMap({ Int64($0) }) {
                try delete(transaction, person, PersonKey(rawValue: key))
            }
        }
    }

    /// Whom the person follows. They learn it with what has changed for them.
    fileprivate static let followed = ofPairs {
        "SELECT followed AS other FROM follows WHERE follower = \($0) LIMIT \($1)"
    } delete: { transaction, person, other in
        try transaction.visibility.deleteFollow(of: other, by: person)
    }

    /// Who follows the person. Each of them learns it in the transaction that deletes the follow.
    fileprivate static let followers = ofPairs {
        "SELECT follower AS other FROM follows WHERE followed = \($0) LIMIT \($1)"
    } delete: { transaction, person, other in
        try transaction.visibility.eraseFollow(of: person, by: other)
    }

    /// What changed for two people has a row for each of them, which are deleted together.
    fileprivate static let relations = ofPairs {
        "SELECT other FROM relation_changes WHERE person = \($0) LIMIT \($1)"
    } delete: { transaction, person, other in
        try transaction.visibility.recordErasure(of: person, for: other)
    }

    fileprivate static let blocked = ofPairs {
        "SELECT blocked AS other FROM blocks WHERE blocker = \($0) LIMIT \($1)"
    } delete: { transaction, person, other in
        try transaction.run("DELETE FROM blocks WHERE blocker = \(person) AND blocked = \(other)")
    }

    fileprivate static let blockers = ofPairs {
        "SELECT blocker AS other FROM blocks WHERE blocked = \($0) LIMIT \($1)"
    } delete: { transaction, person, other in
        try transaction.run("DELETE FROM blocks WHERE blocker = \(other) AND blocked = \(person)")
    }
}
