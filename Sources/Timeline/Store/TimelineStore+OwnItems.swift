import Model
import Storage
import Visibility

/// Items that one person alone has in the feed.
extension TimelineStore where Access == WriteTransaction {
    /// Adds a new item to the feed of a person. Nothing is written for somebody whose erasure has begun.
    ///
    /// - Parameters:
    ///   - number: a new `nextChange()`, which is also the key of the domain's own row.
    ///   - moment: when it was made or first seen. The domain keeps it: it is needed to find the item.
    package func insertOwn(
        _ kind: TimelineKind, number: Int64, for person: PersonKey, moment: Timestamp
    ) throws {
        guard let userID = try userID(of: person) else { return }
        try transaction.run(
            """
            INSERT INTO timeline_own_items (person, score, number, kind, change)
            VALUES (\(person), \(kind.score(of: moment)), \(number), \(kind), \(number))
            """)
        transaction.recordChange(of: [userID], topic: .feed)
    }

    /// Removes such an item, also from the pages that show it at this moment.
    ///
    /// - Parameter id: under which the API showed the item.
    package func removeOwn(
        _ kind: TimelineKind, number: Int64, id: String, for person: PersonKey, moment: Timestamp, now: Timestamp
    ) throws {
        let score = try score(of: kind, number: number, moment: moment)
        guard
            try transaction.execute(
                """
                DELETE FROM timeline_own_items
                WHERE person = \(person) AND score = \(score) AND number = \(number)
                """) == 1, let userID = try userID(of: person)
        else { return }
        try transaction.recordGone(.feedItem, ids: [kind.itemID(id)], userID: userID, now: now)
    }

    /// Removes such an item without a report. For what its person learns otherwise, such as that its sender is gone.
    package func eraseOwn(_ kind: TimelineKind, number: Int64, for person: PersonKey, moment: Timestamp) throws {
        let score = try score(of: kind, number: number, moment: moment)
        try transaction.run(
            """
            DELETE FROM timeline_own_items WHERE person = \(person) AND score = \(score) AND number = \(number)
            """)
    }

    /// Has a person's programs read the feed again, since it shows something else from now on.
    package func recordReset(of person: PersonKey) throws {
        guard let userID = try userID(of: person) else { return }
        try transaction.run(
            """
            INSERT INTO timeline_resets (person, change) VALUES (\(person), \(try transaction.nextChange()))
            ON CONFLICT (person) DO UPDATE SET change = excluded.change
            """)
        transaction.recordChange(of: [userID], topic: .feed)
    }

    private func userID(of person: PersonKey) throws -> String? {
        try transaction.row(
            "SELECT user_id FROM people WHERE key = \(person) AND state <> \(Person.State.gone)")?["user_id"]
    }
}
