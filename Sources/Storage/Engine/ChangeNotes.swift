/// What changes of a domain's rows are about, as the change log has it.
package struct ChangeTopic: Sendable, Hashable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }
}

/// Whom a transaction's writes concern, by topic.
struct ChangeNotes {
    private(set) var userIDs: [ChangeTopic: Set<String>] = [:]

    var isEmpty: Bool { userIDs.isEmpty }

    /// Whoever is concerned, whatever it is about.
    var everybody: Set<String> { userIDs.values.reduce(into: []) { $0.formUnion($1) } }

    mutating func add(_ concerned: some Sequence<String>, topic: ChangeTopic) {
        userIDs[topic, default: []].formUnion(concerned)
    }

    mutating func add(_ notes: ChangeNotes) {
        for (topic, concerned) in notes.userIDs { add(concerned, topic: topic) }
    }
}

extension WriteTransaction {
    /// Writes the change log, one row for each person and topic.
    ///
    /// - Parameter change: not below the number of any change that the notes are about, and above all of earlier
    ///   transactions.
    func write(_ notes: ChangeNotes, change: Int64) throws {
        for (topic, userIDs) in notes.userIDs {
            for userID in userIDs {
                try execute(
                    """
                    INSERT INTO change_log (user_id, topic, change) VALUES (\(userID), \(topic.name), \(change))
                    ON CONFLICT (user_id, topic) DO UPDATE SET change = excluded.change
                    """)
            }
        }
    }
}

extension SQLReader {
    /// Who among some people has rows that changed after `change`, each with the number of a last such change.
    package func latestChanges(of userIDs: Set<String>, after change: Int64) throws -> [String: Int64] {
        var latest: [String: Int64] = [:]
        func take(_ row: Row) throws -> RowLoop {
            let userID: String = try row["user_id"]
            if userIDs.contains(userID) { latest[userID] = max(latest[userID] ?? 0, try row["change"]) }
            return .goOn
        }
        try forEachRow("SELECT user_id, change FROM change_log WHERE change > \(change)", take)
        // No index of theirs is kept by change: it would be written with every commit of a job.
        for part in userIDs.listParts {
            try forEachRow(
                """
                SELECT user_id, MAX(change) AS change FROM job_counts
                WHERE user_id IN (\(list: part)) AND change > \(change) GROUP BY user_id
                """, take)
        }
        return latest
    }
}
