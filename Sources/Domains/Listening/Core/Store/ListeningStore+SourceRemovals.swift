import Model
import Storage

/// The removal of everything that a source reported about a person.
package struct ListenSourceRemoval: Sendable {
    package let userID: String
    let historyID: Int64
    package let source: ListenSource
    /// The key of the last observation to remove.
    let last: Int64
}

extension ListeningStore {
    /// The removals in progress, for all people.
    ///
    /// - Parameter last: the removal to start after; `nil` starts with the first.
    package func sourceRemovals(after last: ListenSourceRemoval? = nil, limit: Int) throws -> [ListenSourceRemoval] {
        let place: SQL =
            last.map { "WHERE (r.history_id, r.source) > (\($0.historyID), \($0.source.number))" } ?? ""
        return try transaction.map(
            """
            SELECT h.user_id, r.history_id, r.source, r.until_id FROM listen_removals r
                JOIN listen_histories h ON h.id = r.history_id
            \(place) ORDER BY r.history_id, r.source LIMIT \(limit)
            """
        ) { row -> ListenSourceRemoval? in
            try ListenSource(number: try row["source"]).map {
                ListenSourceRemoval(
                    userID: try row["user_id"], historyID: try row["history_id"], source: $0,
                    last: try row["until_id"])
            }
        }.compactMap { $0 }
    }
}

/// An observation to remove.
package struct ObservationToRemove: Sendable, Hashable {
    let start: Int64
    let id: Int64
}

extension ListeningStore {
    /// The observations to remove among the next ones of the person, in order. Each call reads the same number, however
    /// long the history is, and no writer has to wait for it.
    ///
    /// - Parameters:
    ///   - last: the observation to start after; `nil` starts with the first.
    ///   - limit: the number of observations to examine.
    /// - Returns: the observations to remove, and the one to continue after; `nil` at the end of the history.
    package func observations(
        of removal: ListenSourceRemoval, after last: ObservationToRemove?, limit: Int
    ) throws -> (found: [ObservationToRemove], last: ObservationToRemove?) {
        guard let history = try historyID(ofUser: removal.userID) else { return ([], nil) }
        let place: SQL = last.map { " AND (started_at, id) > (\($0.start), \($0.id))" } ?? ""
        var (found, end, count) = ([ObservationToRemove](), ObservationToRemove?.none, 0)
        try transaction.forEachRow(
            """
            SELECT started_at, id, source, is_deleted FROM listen_observations
            WHERE history_id = \(history)\(place) ORDER BY started_at, id LIMIT \(limit)
            """
        ) { row in
            let one = ObservationToRemove(start: try row["started_at"], id: try row["id"])
            (end, count) = (one, count + 1)
            let isStored: Bool = try row["is_deleted"] != 0
            if try row["source"] == removal.source.number, !isStored, one.id <= removal.last { found.append(one) }
            return .continue
        }
        return (found, count < limit ? nil : end)
    }
}

extension ListeningStore where Access == WriteTransaction {
    /// Starts removing what a source has reported so far. What it reports afterwards stays.
    ///
    /// - Returns: whether it has reported anything.
    package func beginRemoval(of source: ListenSource, userID: String, now: Timestamp) throws -> Bool {
        guard let history = try historyID(ofUser: userID),
            try transaction.execute(
                "DELETE FROM listen_contacts WHERE history_id = \(history) AND source = \(source.number)") > 0
        else { return false }
        try transaction.run(
            "DELETE FROM listen_gaps WHERE history_id = \(history) AND source = \(source.number)")
        if source == .spotifyRecent { try ignoreKnownPlays(ofHistory: history) }
        let last: Int64 = try transaction.row("SELECT value FROM listen_keys")?["value"] ?? 0
        try transaction.run(
            """
            INSERT INTO listen_removals (history_id, source, until_id) VALUES (\(history), \(source.number), \(last))
            ON CONFLICT (history_id, source) DO UPDATE SET until_id = excluded.until_id
            """)
        return true
    }

    /// Removes some observations of a source, unless they have changed since they were found.
    ///
    /// - Parameter found: the result of ``observations(of:after:limit:)``.
    package func remove(
        _ found: ArraySlice<ObservationToRemove>, by removal: ListenSourceRemoval, now: Timestamp
    ) throws {
        guard let history = try historyID(ofUser: removal.userID) else { return }
        var loaded = PlayWindow()
        for observation in found {
            loaded.add(
                try load(
                    """
                    o.started_at = \(observation.start) AND o.id = \(observation.id)
                        AND o.source = \(removal.source.number) AND o.is_deleted = 0
                    """, history: history))
        }
        try remove(loaded, history: history, userID: removal.userID, now: now)
    }

    /// Ends a removal once nothing is left to remove.
    package func end(_ removal: ListenSourceRemoval) throws {
        try transaction.run(
            """
            DELETE FROM listen_removals
            WHERE history_id = (SELECT id FROM listen_histories WHERE user_id = \(removal.userID))
                AND source = \(removal.source.number) AND until_id = \(removal.last)
            """)
    }
}
