import Model
import Storage

/// A removal of what a source told a person.
package struct ListenSourceRemoval: Sendable {
    package let userID: String
    package let source: ListenSource
    fileprivate let last: Int64
}

extension ListeningStore {
    /// The removals of all people that are under way.
    package func sourceRemovals(limit: Int) throws -> [ListenSourceRemoval] {
        try transaction.map(
            """
            SELECT h.user_id, r.source, r.until_id FROM listen_removals r
                JOIN listen_histories h ON h.id = r.history_id
            ORDER BY r.history_id, r.source LIMIT \(limit)
            """
        ) { row -> ListenSourceRemoval? in
            try ListenSource(number: try row["source"]).map {
                ListenSourceRemoval(userID: try row["user_id"], source: $0, last: try row["until_id"])
            }
        }.compactMap { $0 }
    }
}

extension ListeningStore where Access == WriteTransaction {
    /// Begins to remove what a source has told so far. What it tells afterwards stays.
    ///
    /// - Returns: whether it has told anything.
    package func beginRemoval(of source: ListenSource, userID: String, now: Timestamp) throws -> Bool {
        guard let history = try historyID(ofUser: userID),
            try transaction.execute(
                "DELETE FROM listen_contacts WHERE history_id = \(history) AND source = \(source.number)") > 0
        else { return false }
        try transaction.execute(
            "DELETE FROM listen_gaps WHERE history_id = \(history) AND source = \(source.number)")
        if source == .spotifyRecent { try leaveOutPlays(ofHistory: history, until: now) }
        let last: Int64 = try transaction.row("SELECT value FROM listen_keys")?["value"] ?? 0
        try transaction.execute(
            """
            INSERT INTO listen_removals (history_id, source, until_id) VALUES (\(history), \(source.number), \(last))
            ON CONFLICT (history_id, source) DO UPDATE SET until_id = excluded.until_id
            """)
        return true
    }

    /// Does the next step of a removal.
    ///
    /// - Returns: whether it is complete.
    package func step(_ removal: ListenSourceRemoval, now: Timestamp) throws -> Bool {
        guard
            try removeStep(.source(removal.source), until: removal.last, userID: removal.userID, now: now)
        else { return false }
        try transaction.execute(
            """
            DELETE FROM listen_removals
            WHERE history_id = (SELECT id FROM listen_histories WHERE user_id = \(removal.userID))
                AND source = \(removal.source.number) AND until_id = \(removal.last)
            """)
        return true
    }
}
