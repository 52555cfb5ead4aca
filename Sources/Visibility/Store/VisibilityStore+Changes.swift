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

/// What devices have to learn of follows, blocks and visibility: each of these acts is recorded here and nowhere else.
extension VisibilityStore where Access == WriteTransaction {
    /// Something between two people has changed that shows in lists of both, such as a request.
    package func recordAct(between one: PersonKey, and other: PersonKey) throws {
        let userIDs = try activeUserIDs(of: [one, other])
        for (person, other) in [(one, other), (other, one)] {
            guard let userID = userIDs[person] else { continue }
            guard userIDs[other] != nil else {
                // The rows of who is being erased are deleted, so this outlives them.
                try recordGone(.person, of: other, for: userID)
                try deleteChange(between: person, and: other)
                continue
            }
            try transaction.run(
                """
                INSERT INTO relation_changes (person, other, change)
                VALUES (\(person), \(other), \(try transaction.nextChange()))
                ON CONFLICT (person, other) DO UPDATE SET change = excluded.change
                """)
        }
        transaction.recordChange(of: userIDs.values, topic: .people)
    }

    /// Deletes that something has changed between a person who is being erased and another one. Devices of the latter
    /// that have not read it learn that the person is gone, unless one of the two has blocked the other.
    func recordErasure(of erased: PersonKey, for other: PersonKey) throws {
        try deleteChange(between: erased, and: other)
        // A follow that ended with the erasure has reported it to them, and has left no row.
        guard
            try transaction.row(
                "SELECT change FROM relation_changes WHERE person = \(other) AND other = \(erased)") != nil
        else { return }
        if let userID = try activeUserIDs(of: [other])[other], try !isBlocked(between: erased, and: other) {
            try recordGone(.person, of: erased, for: userID)
        }
        try deleteChange(between: other, and: erased)
    }

    private func deleteChange(between person: PersonKey, and other: PersonKey) throws {
        try transaction.run("DELETE FROM relation_changes WHERE person = \(person) AND other = \(other)")
    }

    /// Somebody follows a person from now on.
    func recordFollow(of followed: PersonKey, by follower: PersonKey) throws {
        try recordAct(between: follower, and: followed)
    }

    /// A follow has ended, by an unfollow, a removal, a block or an erasure: what the follower saw of the person
    /// through it is gone for the follower.
    ///
    /// The person follows after everything of them is gone, since they may still be in other lists of the follower, such
    /// as that of who follows back.
    func recordEndOfFollow(of followed: PersonKey, by follower: PersonKey) throws {
        try recordGoneItems(of: followed, for: follower)
        try recordAct(between: follower, and: followed)
    }

    /// From now on the two do not exist for each other.
    func recordBlock(of blocked: PersonKey, by blocker: PersonKey) throws {
        try recordGoneItems(of: blocked, for: blocker)
        try recordGoneItems(of: blocker, for: blocked)
        try recordAct(between: blocker, and: blocked)
    }

    func recordEndOfBlock(of blocked: PersonKey, by blocker: PersonKey) throws {
        try recordAct(between: blocker, and: blocked)
    }

    /// A profile has become visible to more or to fewer people: by its person, by a suspension or its end, or by the
    /// beginning of an erasure. One row tells all followers, whatever their number.
    ///
    /// - Parameter person: as they were before.
    func recordVisibility(of person: Person) throws {
        transaction.recordChange(of: [person.userID], topic: .people)
        transaction.recordChange(ofAuthor: person.key.rawValue)
    }

    /// What others see of a person has changed, such as the name or the picture.
    package func recordProfile(ofUser userID: String) throws {
        guard let person = try person(userID: userID), person.state == .active else { return }
        try recordVisibility(of: person)
    }

    /// A person can no longer see the items of another.
    private func recordGoneItems(of other: PersonKey, for person: PersonKey) throws {
        guard let userID = try activeUserIDs(of: [person])[person] else { return }
        try recordGone(.itemsOf, of: other, for: userID)
    }

    private func recordGone(_ kind: ItemKind, of other: PersonKey, for userID: String) throws {
        guard let id = try userIDs(of: [other])[other] else { return }
        try transaction.recordGone(kind, ids: [id], userID: userID)
    }

    /// The ids of those of the people whose erasure has not begun.
    private func activeUserIDs(of people: [PersonKey]) throws -> [PersonKey: String] {
        try transaction.rows(
            "SELECT key, user_id FROM people WHERE key IN (\(list: people)) AND state <> \(Person.State.gone)"
        ).reduce(into: [:]) { ids, row in ids[try row["key"]] = try row["user_id"] as String }
    }
}
