import Model
import Storage

/// The order of lists of listens: the latest first.
package let listenList = Keyset<Int, Int>("listens", by: "l.started_at", "l.id", descending: true)

/// A page of listens.
package struct ListenPage: Sendable {
    package var items: [Listen]
    /// The number of items in the whole list.
    package var total: Int
    package var nextCursor: String?
}

extension ListeningStore {
    /// A person's listens, the latest first.
    ///
    /// - Parameters:
    ///   - from: the earliest start, inclusive.
    ///   - end: the latest start, exclusive.
    package func listens(
        userID: String, from: Timestamp? = nil, to end: Timestamp? = nil, after cursor: Cursor<Int, Int>? = nil,
        limit: Int
    ) throws -> ListenPage {
        guard let history = try historyID(ofUser: userID) else { return ListenPage(items: [], total: 0) }
        let range = Self.condition(from: from, to: end)
        var items = try transaction.map(
            """
            SELECT \(Listen.columns) FROM listens l JOIN listen_songs s ON s.history_id = l.history_id
                AND s.id = l.song_id
            WHERE l.history_id = \(history)\(range)\(listenList.following(cursor))
            ORDER BY \(listenList.order) LIMIT \(limit + 1)
            """, Listen.init)
        let isLast = items.count <= limit
        if !isLast { items.removeLast() }
        try complete(&items, history: history)
        let next = isLast ? nil : items.last
        return ListenPage(
            items: items, total: try count(userID: userID, from: from, to: end),
            nextCursor: next.map { listenList.text(of: Int($0.startedAt.microseconds), Int($0.id.key)) })
    }

    /// Listens in chronological order, for exports and for the oldest listens of a period.
    ///
    /// - Parameter start: the position to start after: a start, and an id among listens with that start.
    package func earliest(
        userID: String, after start: (startedAt: Timestamp, id: Int64), limit: Int
    ) throws -> [Listen] {
        guard let history = try historyID(ofUser: userID) else { return [] }
        var items = try transaction.map(
            """
            SELECT \(Listen.columns) FROM listens l JOIN listen_songs s ON s.history_id = l.history_id
                AND s.id = l.song_id
            WHERE l.history_id = \(history) AND (l.started_at, l.id) > (\(start.startedAt), \(start.id))
            ORDER BY l.started_at, l.id LIMIT \(limit)
            """, Listen.init)
        try complete(&items, history: history)
        return items
    }

    /// When the first and the last listen at a possible time began; `nil` without such listens.
    package func bounds(userID: String, at now: Timestamp) throws -> (first: Timestamp, last: Timestamp)? {
        guard let history = try historyID(ofUser: userID) else { return nil }
        let possible: SQL = """
            FROM listens WHERE history_id = \(history) AND started_at >= \(PossibleTimes.earliest)
                AND started_at < \(PossibleTimes.end(at: now))
            """
        let first: Timestamp? =
            try transaction.row("SELECT started_at \(possible) ORDER BY started_at LIMIT 1")?["started_at"]
        let last: Timestamp? =
            try transaction.row("SELECT started_at \(possible) ORDER BY started_at DESC LIMIT 1")?["started_at"]
        return first.flatMap { first in last.map { (first, $0) } }
    }

    /// The songs of the listens in a period, in chronological order.
    ///
    /// - Parameters:
    ///   - end: the latest start, exclusive.
    ///   - last: the last listen of the previous page; `nil` for the first page.
    package func songs(
        from start: Timestamp, to end: Timestamp, after last: (startedAt: Timestamp, id: LibraryID)? = nil,
        userID: String, limit: Int
    ) throws -> [(id: LibraryID, startedAt: Timestamp, song: SongDescription)] {
        guard let history = try historyID(ofUser: userID) else { return [] }
        let (from, key) = (last?.startedAt ?? start, last?.id.key ?? .min)
        return try transaction.map(
            """
            SELECT l.id AS listen_id, l.started_at, \(SongDescription.columns) FROM listens l JOIN listen_songs s
                ON s.history_id = l.history_id AND s.id = l.song_id
            WHERE l.history_id = \(history) AND (l.started_at, l.id) > (\(from), \(key)) AND l.started_at < \(end)
            ORDER BY l.started_at, l.id LIMIT \(limit)
            """
        ) { (LibraryID(key: try $0["listen_id"]), try $0["started_at"], try SongDescription($0)) }
    }

    package func count(userID: String, from: Timestamp? = nil, to end: Timestamp? = nil) throws -> Int {
        let row =
            from == nil && end == nil
            ? try transaction.row("SELECT listens AS total FROM listen_histories WHERE user_id = \(userID)")
            : try transaction.row(
                """
                SELECT COUNT(*) AS total FROM listens l
                WHERE l.history_id = (SELECT id FROM listen_histories WHERE user_id = \(userID))
                    \(Self.condition(from: from, to: end))
                """)
        return try row?["total"] ?? 0
    }

    package func listen(_ id: LibraryID, userID: String) throws -> Listen? {
        guard let history = try historyID(ofUser: userID) else { return nil }
        var items = try transaction.map(
            """
            SELECT \(Listen.columns) FROM listens l JOIN listen_songs s ON s.history_id = l.history_id
                AND s.id = l.song_id
            WHERE l.history_id = \(history) AND l.id = \(id.key)
            """, Listen.init)
        try complete(&items, history: history)
        return items.first
    }

    /// When each kind of source last reported something.
    package func lastContacts(userID: String) throws -> [ListenSourceSummary] {
        guard let history = try historyID(ofUser: userID) else { return [] }
        return try transaction.map(
            "SELECT source, last_at FROM listen_contacts WHERE history_id = \(history) ORDER BY source"
        ) { row -> ListenSourceSummary? in
            try ListenSource(number: try row["source"]).map {
                ListenSourceSummary(source: $0, lastContact: try row["last_at"])
            }
        }.compactMap { $0 }
    }

    /// The number of the last change to a person's listens, if it is after `change`; otherwise `nil`.
    package func changed(userID: String, after change: Int64) throws -> Int64? {
        try transaction.row(
            "SELECT change FROM listen_histories WHERE user_id = \(userID) AND change > \(change)"
        ).map { try $0["change"] }
    }

    private static func condition(from: Timestamp?, to end: Timestamp?) -> SQL {
        var sql: SQL = ""
        if let from { sql = sql + " AND l.started_at >= \(from)" }
        if let end { sql = sql + " AND l.started_at < \(end)" }
        return sql
    }

    private func complete(_ items: inout [Listen], history: Int64) throws {
        try addDetails(to: &items, history: history)
        for (index, score) in try feedback(on: items.map(\.song), history: history).enumerated() {
            items[index].feedback = score
        }
    }

    /// Adds the details of the observations that are shown, which have the same start as their listens.
    private func addDetails(to items: inout [Listen], history: Int64) throws {
        guard let first = items.map(\.startedAt).min(), let last = items.map(\.startedAt).max() else { return }
        let places = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.id.key, $0) })
        // Thousands of observations may begin within the time of a page.
        let most = 1_000 + 20 * items.count
        let range: SQL = "o.started_at >= \(first) AND o.started_at <= \(last) ORDER BY o.started_at, o.id"
        guard try addDetails(to: &items, places, range + " LIMIT \(most)", history: history) == most else { return }
        for item in items {
            let own = Self.ofSong(
                item.songID, at: item.startedAt.microseconds, limit: Repeats.mostCompared, history: history)
            _ = try addDetails(to: &items, places, own, history: history)
        }
    }

    /// - Parameter condition: the rest of the statement, after the condition on the history.
    /// - Returns: how many observations were read.
    private func addDetails(
        to items: inout [Listen], _ places: [Int64: Int], _ condition: SQL, history: Int64
    ) throws -> Int {
        var count = 0
        // The listens whose precision is known. If several observations begin at a listen's start, the most precise one
        // is shown.
        var exact: Set<Int> = []
        try transaction.forEachRow(
            """
            SELECT found.started_at, found.listen_id, found.song_id, found.form, d.details, c.name
            FROM (
                SELECT o.started_at, o.id, o.listen_id, o.song_id, o.form, o.details_id, o.client_id
                FROM listen_observations o WHERE o.history_id = \(history) AND \(condition)
            ) AS found
                LEFT JOIN listen_details d ON d.history_id = \(history) AND d.id = found.details_id
                LEFT JOIN listen_clients c ON c.history_id = \(history) AND c.id = found.client_id
            ORDER BY found.started_at, found.id
            """
        ) { row in
            count += 1
            guard let place = places[try row["listen_id"]] else { return .continue }
            let (startedAt, song): (Timestamp, Int64) = (try row["started_at"], try row["song_id"])
            if items[place].startedAt == startedAt, items[place].songID == song {
                items[place].details = try row["details"] ?? items[place].details
                items[place].client = try row["name"] ?? items[place].client
                let precision = Play.precision(ofForm: try row["form"]) ?? .second
                if exact.insert(place).inserted || precision < items[place].precision {
                    items[place].precision = precision
                }
            }
            return .continue
        }
        return count
    }
}

extension Listen {
    fileprivate static let columns: SQL = """
        l.id AS listen_id, l.started_at, l.song_id, l.played_ms, l.sources, s.track_id, \(SongDescription.columns)
        """

    fileprivate init(_ row: Row) throws {
        let bits: Int = try row["sources"]
        let track: Int64? = try row["track_id"]
        self.init(
            id: LibraryID(key: try row["listen_id"]), startedAt: try row["started_at"], songID: try row["song_id"],
            song: try SongDescription(row), playedMilliseconds: try row["played_ms"],
            sources: ListenSource.allCases.filter { bits & $0.bit != 0 },
            trackID: track.map { LibraryID(key: $0) })
    }
}
