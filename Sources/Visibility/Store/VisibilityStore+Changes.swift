import Model
import Storage

extension ChangeTopic {
    /// Follows, blocks, and what people may see of others.
    package static let people = ChangeTopic("people")
}

extension ItemKind {
    /// A person as lists show them.
    package static let person = ItemKind("person")
    /// All items of a person whom somebody can no longer follow, or whose profile has closed.
    package static let itemsOf = ItemKind("itemsOf")
}

/// What devices have to learn of follows, blocks and visibility: each of these acts is recorded here and nowhere else,
/// but for what takes a person away (`VisibilityStore+Departures.swift`).
extension VisibilityStore where Access == WriteTransaction {
    /// Something between two people has changed that shows in lists of both, such as a request.
    ///
    /// Between two of whom one has blocked the other, nothing shows any longer. Neither does anything of somebody who is
    /// being erased: the rest is the subject of ``recordErasure(of:for:)``.
    package func recordAct(between one: PersonKey, and other: PersonKey) throws {
        guard try !isBlocked(between: one, and: other) else { return }
        let userIDs = try activeUserIDs(of: [one, other])
        for (person, other) in [(one, other), (other, one)] where userIDs[person] != nil && userIDs[other] != nil {
            try recordChange(of: other, for: person)
        }
        transaction.recordChange(of: userIDs.values, topic: .people)
    }

    /// Two people have something of each other that no list of people shows, such as a reaction. Nothing is reported of
    /// it, but each of them learns when the other is gone. Its end is not recorded, so that the acquaintance lasts.
    package func recordAcquaintance(between one: PersonKey, and other: PersonKey) throws {
        for (person, other) in [(one, other), (other, one)] {
            try transaction.run(
                """
                INSERT INTO relation_changes (person, other, change, state)
                VALUES (\(person), \(other), 0, \(AcquaintanceState.lasting.sql))
                ON CONFLICT (person, other) DO UPDATE SET state = excluded.state
                WHERE relation_changes.state <> excluded.state
                """)
        }
    }

    private func recordChange(of other: PersonKey, for person: PersonKey) throws {
        try transaction.run(
            """
            INSERT INTO relation_changes (person, other, change, state)
            VALUES (\(person), \(other), \(try transaction.nextChange()), \(AcquaintanceState.changed.sql))
            ON CONFLICT (person, other) DO UPDATE
            SET change = excluded.change, state = CASE WHEN relation_changes.state = \(AcquaintanceState.lasting.sql)
                THEN \(AcquaintanceState.lasting.sql) ELSE excluded.state END
            """)
    }

    /// Somebody follows a person from now on.
    func recordFollow(of followed: PersonKey, by follower: PersonKey) throws {
        try recordAct(between: follower, and: followed)
    }

    /// A follow has ended, by an unfollow or a removal: what the follower saw of the person through it is gone for the
    /// follower.
    ///
    /// The person follows after everything of them is gone, since they may still be in other lists of the follower, such
    /// as that of who follows back.
    func recordEndOfFollow(of followed: PersonKey, by follower: PersonKey) throws {
        let userIDs = try userIDs(of: [followed, follower])
        if let id = userIDs[followed], let userID = userIDs[follower] {
            try transaction.recordGone(.itemsOf, ids: [id], userID: userID)
        }
        try recordAct(between: follower, and: followed)
    }

    /// Whoever was blocked learns nothing of the end of the block, since nothing of the blocker is in their lists.
    func recordEndOfBlock(of blocked: PersonKey, by blocker: PersonKey) throws {
        let userIDs = try activeUserIDs(of: [blocker, blocked])
        guard let userID = userIDs[blocker], userIDs[blocked] != nil else { return }
        try recordChange(of: blocked, for: blocker)
        try transaction.run(
            """
            INSERT INTO relation_changes (person, other, change) VALUES (\(blocked), \(blocker), 0)
            ON CONFLICT (person, other) DO NOTHING
            """)
        transaction.recordChange(of: [userID], topic: .people)
    }

    /// A profile has become visible to more or to fewer people: by its person, by a suspension or its end, or by the
    /// beginning of an erasure. One row tells all followers, whatever their number.
    ///
    /// - Parameter person: as they were before.
    func recordVisibility(of person: Person) throws {
        transaction.recordChange(of: [person.userID], topic: .people)
        transaction.recordChange(ofAuthor: person.key.rawValue, .profile)
    }

    /// What others see of a person has changed, such as the name or the picture.
    package func recordProfile(ofUser userID: String) throws {
        guard let person = try person(userID: userID), person.state == .active else { return }
        try recordVisibility(of: person)
    }

    /// The ids of those of the people whose erasure has not begun.
    func activeUserIDs(of people: [PersonKey]) throws -> [PersonKey: String] {
        try transaction.rows(
            "SELECT key, user_id FROM people WHERE key IN (\(list: people)) AND state <> \(Person.State.gone)"
        ).reduce(into: [:]) { ids, row in ids[try row["key"]] = try row["user_id"] as String }
    }
}
