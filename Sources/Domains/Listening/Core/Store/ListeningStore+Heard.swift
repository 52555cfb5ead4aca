import Identity
import Model
import Storage

extension ListeningStore {
    /// The keys of the tracks in a person's library that they have heard since a given time.
    package func tracksHeard(since moment: Timestamp, userID: String) throws -> Set<Int64> {
        guard let history = try historyID(ofUser: userID) else { return [] }
        var tracks: Set<Int64> = []
        try transaction.forEachRow(
            """
            SELECT DISTINCT s.track_id FROM listens l
            JOIN listen_songs s ON s.history_id = l.history_id AND s.id = l.song_id
            WHERE l.history_id = \(history) AND l.started_at >= \(moment) AND s.track_id IS NOT NULL
            """
        ) { row in
            tracks.insert(try row["track_id"])
            return .continue
        }
        return tracks
    }

    /// The songs that a person has heard since a given time and does not have in their library: at most 10,000, the
    /// ones added to the history last.
    package func songsHeardElsewhere(since moment: Timestamp, userID: String) throws -> [IdentityRecord] {
        guard let history = try historyID(ofUser: userID) else { return [] }
        return try transaction.map(
            """
            SELECT DISTINCT s.id, s.title, s.artist, s.album, s.duration_ms, s.isrc FROM listens l
            JOIN listen_songs s ON s.history_id = l.history_id AND s.id = l.song_id
            WHERE l.history_id = \(history) AND l.started_at >= \(moment) AND s.track_id IS NULL
            ORDER BY s.id DESC LIMIT 10000
            """
        ) { row in
            IdentityRecord(
                title: try row["title"], artist: try row["artist"], album: (try row["album"] as String?) ?? "",
                durationMs: try row["duration_ms"], isrc: try row["isrc"])
        }
    }

    /// The sessions of a person's latest listens, the earliest first.
    ///
    /// - Parameter limit: the number of listens to consider.
    package func latestSessions(userID: String, ofListens limit: Int) throws -> [ListeningSession] {
        guard let history = try historyID(ofUser: userID) else { return [] }
        let listens = try transaction.map(
            """
            SELECT l.started_at, s.track_id FROM listens l
            JOIN listen_songs s ON s.history_id = l.history_id AND s.id = l.song_id
            WHERE l.history_id = \(history) ORDER BY l.started_at DESC, l.id DESC LIMIT \(limit)
            """
        ) { row -> (startedAt: Timestamp, track: Int64?) in
            (try row["started_at"], try row["track_id"])
        }
        return ListeningSession.sessions(of: listens.reversed())
    }
}
