import Model
import Storage

private let addPlays = ConstantSQL("UPDATE listen_songs SET plays = plays + ? WHERE history_id = ? AND id = ?")

private let noteTrackOfSong = ConstantSQL(
    """
    INSERT INTO listen_tracks_to_count (history_id, track_id)
    SELECT history_id, track_id FROM listen_songs WHERE history_id = ? AND id = ? AND track_id IS NOT NULL
    ON CONFLICT DO NOTHING
    """)

extension ListeningStore {
    /// People with tracks whose listens need to be counted.
    ///
    /// - Parameter last: the history to start after; 0 starts with the first.
    package func uncounted(after last: Int64, limit: Int) throws -> [HistoryOwner] {
        var found: [HistoryOwner] = []
        var last = last
        // Jumps from history to history in the index, so histories without such tracks are not read.
        while found.count < limit,
            let next = try transaction.row(
                "SELECT MIN(history_id) AS next FROM listen_tracks_to_count WHERE history_id > \(last)"
            ).flatMap({ try $0["next"] as Int64? })
        {
            last = next
            if let owner = try transaction.row("SELECT user_id FROM listen_histories WHERE id = \(next)") {
                found.append(HistoryOwner(historyID: next, userID: try owner["user_id"]))
            }
        }
        return found
    }
}

extension ListeningStore where Access == WriteTransaction {
    /// Updates the songs' numbers of listens.
    ///
    /// - Parameter differences: the changes by the songs' keys.
    func count(_ differences: [Int64: Int], history: Int64) throws {
        for (song, difference) in differences where difference != 0 {
            try transaction.run(addPlays, [difference.sqlValue, history.sqlValue, song.sqlValue])
            try recordTrack(ofSong: song, history: history)
        }
    }

    /// Requests that the listens of a song's track be counted.
    func recordTrack(ofSong song: Int64, history: Int64) throws {
        try transaction.run(noteTrackOfSong, [history.sqlValue, song.sqlValue])
    }

    /// Counts the listens of some of the tracks that need it.
    ///
    /// - Parameter set: receives the numbers by the tracks' keys.
    /// - Returns: whether there may be more.
    package func countStep(userID: String, limit: Int, set: ([Int64: Int]) throws -> Void) throws -> Bool {
        guard let history = try historyID(ofUser: userID) else { return false }
        let tracks: [Int64] = try transaction.map(
            "SELECT track_id FROM listen_tracks_to_count WHERE history_id = \(history) LIMIT \(limit)"
        ) { try $0["track_id"] }
        guard !tracks.isEmpty else { return false }
        var counts = Dictionary(uniqueKeysWithValues: tracks.map { ($0, 0) })
        try transaction.forEachRow(
            """
            SELECT track_id, CAST(SUM(plays) AS BIGINT) AS total FROM listen_songs
            WHERE history_id = \(history) AND track_id IN (\(list: tracks)) GROUP BY track_id
            """
        ) { row in
            counts[try row["track_id"]] = try row["total"]
            return .continue
        }
        try set(counts)
        try transaction.run(
            "DELETE FROM listen_tracks_to_count WHERE history_id = \(history) AND track_id IN (\(list: tracks))")
        return tracks.count == limit
    }
}
