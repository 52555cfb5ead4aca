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

/// The people whose rows a transaction changed, by topic, and the authors of items that others may see.
struct ChangeNotifications: Sendable {
    private(set) var userIDs: [ChangeTopic: Set<String>] = [:]
    private(set) var authors: Set<Int64> = []

    var isEmpty: Bool { userIDs.isEmpty && authors.isEmpty }

    /// The people of all topics.
    var everybody: Set<String> { userIDs.values.reduce(into: []) { $0.formUnion($1) } }

    mutating func add(_ concerned: some Sequence<String>, topic: ChangeTopic) {
        userIDs[topic, default: []].formUnion(concerned)
    }

    mutating func add(author: Int64) { authors.insert(author) }

    mutating func add(_ notes: ChangeNotifications) {
        for (topic, concerned) in notes.userIDs { add(concerned, topic: topic) }
        authors.formUnion(notes.authors)
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
        for author in notes.authors {
            try run(
                """
                INSERT INTO author_log (author, change) VALUES (\(author), \(change))
                ON CONFLICT (author) DO UPDATE SET change = excluded.change
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

    /// The authors whose items changed after `change` and up to `last`, at most `limit`.
    package func authors(changedAfter change: Int64, through last: Int64 = .max, limit: Int) throws -> Set<Int64> {
        Set(
            try map(
                """
                SELECT author FROM author_log
                WHERE change > \(change) AND change <= \(last) ORDER BY change LIMIT \(limit)
                """
            ) { try $0["author"] })
    }
}
