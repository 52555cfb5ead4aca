import Storage

/// That something about another person has changed for a viewer.
package struct PersonChange: Sendable, Equatable {
    /// What has changed.
    package enum Subject: Sendable, Equatable {
        /// Something between the two, such as a follow.
        case act
        /// What the person shows, such as the name.
        case profile
        /// The viewer, who follows the person, may no longer see the profile.
        case closing
        /// The erasure of the person, whom the viewer follows, has begun.
        case departure
    }

    /// The other person.
    package let key: PersonKey
    package let userID: String
    package let change: Int64
    package fileprivate(set) var subject: Subject
}

extension VisibilityStore {
    /// What changed about other people for a viewer after a number, in the order of the changes: between the two, and in
    /// what the people whom the viewer follows show.
    ///
    /// An act of somebody whose erasure has begun is left out: that they are gone is recorded (`recordErasure`), or
    /// is their ``PersonChange/Subject/departure``.
    ///
    /// - Returns: about `limit` changes; fewer only if there are no others.
    package func changes(for viewer: Viewer, after change: Int64, limit: Int) throws -> [PersonChange] {
        let acts = try transaction.map(
            """
            SELECT people.key, people.user_id, relation_changes.change AS change
            FROM relation_changes JOIN people ON people.key = relation_changes.other
            WHERE relation_changes.person = \(viewer.key) AND relation_changes.change > \(change)
                AND people.state <> \(Person.State.gone)
            ORDER BY relation_changes.change LIMIT \(limit)
            """
        ) { try PersonChange($0, subject: .act) }
        // Whatever changed later than a full page of these is on a later page.
        let end: Int64 = acts.count < limit ? .max : acts.last?.change ?? .max
        let authors = try transaction.map(
            try changedAuthors(followedBy: viewer.key, after: change, through: end)
                + " ORDER BY author_log.profile_change LIMIT \(limit)"
        ) { (change: try PersonChange($0, subject: .profile), state: try $0["state"] as Person.State) }
        let visible = try visible(.profile, among: authors.map(\.change.userID), as: viewer)
        let shown = authors.map { change, state in
            var change = change
            if !visible.contains(change.userID) { change.subject = state == .gone ? .departure : .closing }
            return change
        }
        let found = (acts + shown).sorted { ($0.change, $0.key.rawValue) < ($1.change, $1.key.rawValue) }
        guard found.count > limit else { return found }
        // The next page begins after a number, so all changes of the last number are on this one.
        let last = found[limit - 1].change
        return Array(found.prefix { $0.change <= last })
    }

    /// The authors with a changed profile whom a person follows. Those who changed are read first, in the order of the
    /// changes, if they are few, and if the person follows so many that a page of them is found soon; otherwise those
    /// whom the person follows, with every page anew.
    private func changedAuthors(followedBy person: PersonKey, after change: Int64, through end: Int64) throws -> SQL {
        let columns: SQL = """
            SELECT people.key, people.user_id, people.state AS state, author_log.profile_change AS change
            """
        let areFew =
            try transaction.profileCount(changedAfter: change, through: end, limit: Self.fewAuthors) < Self.fewAuthors
        return try areFew || followingCount(of: person, limit: Self.manyFollows) == Self.manyFollows
            ? columns + """
                 FROM author_log CROSS JOIN follows CROSS JOIN people
                WHERE author_log.profile_change > 0 AND author_log.profile_change > \(change)
                    AND author_log.profile_change <= \(end) AND follows.follower = \(person)
                    AND follows.followed = author_log.author AND people.key = author_log.author
                """
            : columns + """
                 FROM follows CROSS JOIN author_log CROSS JOIN people
                WHERE follows.follower = \(person) AND author_log.author = follows.followed
                    AND author_log.profile_change > \(change) AND author_log.profile_change <= \(end)
                    AND people.key = follows.followed
                """
    }

    static var fewAuthors: Int { 500 }
    /// Among 100,000 changed authors, a hundred of so many whom a person follows are found as fast in either order.
    static var manyFollows: Int { 2_000 }

    /// Those among `people` who follow one of the authors.
    package func followers(of authors: Set<Int64>, among people: Set<String>) throws -> Set<String> {
        var followers: Set<String> = []
        for part in people.listParts {
            followers.formUnion(
                try transaction.map(
                    """
                    SELECT people.user_id FROM people
                    WHERE people.user_id IN (\(list: part)) AND people.state = 0 AND EXISTS (
                        SELECT 1 FROM follows
                        WHERE follows.follower = people.key AND follows.followed IN (\(list: authors)))
                    """
                ) { try $0["user_id"] as String })
        }
        return followers
    }
}

extension PersonChange {
    fileprivate init(_ row: Row, subject: Subject) throws {
        self.init(key: try row["key"], userID: try row["user_id"], change: try row["change"], subject: subject)
    }
}
