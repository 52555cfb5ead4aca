/// The subject of a change of a domain's rows, such as `concerts`: a value of `change_log.topic`.
package struct ChangeTopic: Sendable, Hashable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    /// Tokens and sessions that ended: whatever is open with one of them ends as well.
    package static let credentials = ChangeTopic("credentials")
    /// People who were removed. Its row belongs to the system user and stays: a person's own rows are erased, perhaps
    /// before another process has read them.
    package static let removals = ChangeTopic("removals")
}

/// What of an author changes for those who follow the author. They read only what changed: a new item says nothing of
/// the profile.
package enum AuthorAspect: Sendable {
    /// Items, and which of them may be seen.
    case items
    /// Everything else that is shown, such as the name, and whether it is shown at all.
    case profile
}

/// The people whose rows a transaction changed, by topic, and the authors of items that others may see.
struct ChangeNotifications: Sendable {
    private(set) var userIDs: [ChangeTopic: Set<String>] = [:]
    /// The authors of whom anything changed.
    private(set) var authors: Set<Int64> = []
    /// Those of them whose profile changed.
    private(set) var profiles: Set<Int64> = []

    var isEmpty: Bool { userIDs.isEmpty && authors.isEmpty }

    /// The people of all topics.
    var everybody: Set<String> { userIDs.values.reduce(into: []) { $0.formUnion($1) } }

    mutating func add(_ concerned: some Sequence<String>, topic: ChangeTopic) {
        userIDs[topic, default: []].formUnion(concerned)
    }

    mutating func add(author: Int64, _ aspect: AuthorAspect) {
        authors.insert(author)
        if aspect == .profile { profiles.insert(author) }
    }

    mutating func add(_ notes: ChangeNotifications) {
        for (topic, concerned) in notes.userIDs { add(concerned, topic: topic) }
        authors.formUnion(notes.authors)
        profiles.formUnion(notes.profiles)
    }
}

extension WriteTransaction {
    /// Writes a row of the change log for each person and topic, and one for each author.
    ///
    /// - Parameter change: at least the number of each change that the notes are about, and higher than those of
    ///   earlier transactions.
    func write(_ notes: ChangeNotifications, change: Int64) throws {
        for (topic, userIDs) in notes.userIDs {
            for userID in userIDs {
                try run(
                    """
                    INSERT INTO change_log (user_id, topic, change) VALUES (\(userID), \(topic.name), \(change))
                    ON CONFLICT (user_id, topic) DO UPDATE SET change = excluded.change
                    """)
            }
        }
        for author in notes.authors.subtracting(notes.profiles) {
            try run(
                """
                INSERT INTO author_log (author, change) VALUES (\(author), \(change))
                ON CONFLICT (author) DO UPDATE SET change = excluded.change
                """)
        }
        for author in notes.profiles {
            try run(
                """
                INSERT INTO author_log (author, change, profile_change) VALUES (\(author), \(change), \(change))
                ON CONFLICT (author) DO UPDATE SET change = excluded.change, profile_change = excluded.profile_change
                """)
        }
    }
}

extension SQLReader {
    /// The number of the last change to anything that event streams report.
    package func lastChange() throws -> Int64 {
        try row("SELECT value FROM change_sequence")?["value"] ?? 0
    }

    /// The people whose rows of a topic changed after `change`.
    package func people(changedIn topic: ChangeTopic, after change: Int64) throws -> Set<String> {
        Set(
            try rows("SELECT user_id FROM change_log WHERE change > \(change) AND topic = \(topic.name)")
                .map { try $0["user_id"] })
    }

    /// The people among `userIDs` of whom the log has a change after `change`, each with the number of the last one.
    package func loggedChanges(of userIDs: Set<String>, after change: Int64) throws -> [String: Int64] {
        var latest: [String: Int64] = [:]
        try forEachRow("SELECT user_id, change FROM change_log WHERE change > \(change)") { row in
            let userID: String = try row["user_id"]
            if userIDs.contains(userID) { latest[userID] = max(latest[userID] ?? 0, try row["change"]) }
            return .continue
        }
        return latest
    }

    /// The number of the last change of a person's rows of a topic; `nil` if there was none.
    package func lastChange(of userID: String, topic: ChangeTopic) throws -> Int64? {
        try row("SELECT change FROM change_log WHERE user_id = \(userID) AND topic = \(topic.name)")?["change"]
    }

    /// The topics in which a person's rows changed after `change`.
    package func topics(of userID: String, changedAfter change: Int64) throws -> Set<ChangeTopic> {
        Set(
            try map("SELECT topic FROM change_log WHERE user_id = \(userID) AND change > \(change)") {
                ChangeTopic(try $0["topic"])
            })
    }

    /// The authors of whom something changed after `change`, at most `limit`.
    package func authors(changedAfter change: Int64, limit: Int) throws -> Set<Int64> {
        Set(
            try map("SELECT author FROM author_log WHERE change > \(change) ORDER BY change LIMIT \(limit)") {
                try $0["author"]
            })
    }

    /// The number of authors whose profile changed after `change` and up to `last`, at most `limit`.
    package func profileCount(changedAfter change: Int64, through last: Int64 = .max, limit: Int) throws -> Int {
        try row(
            """
            SELECT COUNT(*) AS count FROM (
                SELECT 1 FROM author_log
                WHERE profile_change > 0 AND profile_change > \(change) AND profile_change <= \(last)
                LIMIT \(limit)) AS changed
            """)?["count"] ?? 0
    }

    /// The authors of whom an aspect changed last, after `change`, each with the number of that change, the latest first.
    package func latestAuthors(
        changedAfter change: Int64, _ aspect: AuthorAspect, limit: Int
    ) throws -> [(author: Int64, change: Int64)] {
        let changed: SQL =
            switch aspect {
            case .items: "SELECT author, change AS number FROM author_log WHERE change > \(change)"
            case .profile:
                """
                SELECT author, profile_change AS number FROM author_log
                WHERE profile_change > 0 AND profile_change > \(change)
                """
            }
        return try map(changed + " ORDER BY number DESC LIMIT \(limit)") { (try $0["author"], try $0["number"]) }
    }

    /// Whether an aspect of any author changed after `change`.
    package func hasAuthors(changedAfter change: Int64, _ aspect: AuthorAspect) throws -> Bool {
        switch aspect {
        case .items: try !authors(changedAfter: change, limit: 1).isEmpty
        case .profile: try profileCount(changedAfter: change, limit: 1) > 0
        }
    }
}
