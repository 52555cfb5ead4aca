import Model
import Storage

extension ListeningStore {
    /// People with songs that have not been looked for in their libraries.
    package func unresolved(limit: Int) throws -> [String] {
        try transaction.map(
            """
            SELECT h.user_id FROM listen_histories h
            WHERE h.resolved_song < (SELECT COALESCE(MAX(s.id), 0) FROM listen_songs s WHERE s.history_id = h.id)
            LIMIT \(limit)
            """
        ) { try $0["user_id"] }
    }

    /// Whether songs have been looked for in an earlier version of the person's library.
    package func isOutdated(by version: Int64, userID: String) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS found FROM listen_histories WHERE user_id = \(userID) AND resolved_version < \(version)")
            != nil
    }
}

extension ListeningStore where Access == WriteTransaction {
    /// Looks for the next songs in the person's library.
    ///
    /// - Parameter find: returns the key of each song's track, in order.
    /// - Returns: whether there may be more.
    package func resolveStep(
        userID: String, limit: Int, find: ([SaidSong]) throws -> [Int64?]
    ) throws -> Bool {
        guard let history = try historyID(ofUser: userID) else { return false }
        let songs = try transaction.map(
            """
            SELECT s.id, s.track_id, \(SaidSong.columns) FROM listen_songs s
            WHERE s.history_id = \(history)
                AND s.id > (SELECT resolved_song FROM listen_histories WHERE user_id = \(userID) AND id = \(history))
            ORDER BY s.id LIMIT \(limit)
            """
        ) { (id: try $0["id"] as Int64, track: try $0["track_id"] as Int64?, song: try SaidSong($0)) }
        guard let last = songs.last else { return false }
        let tracks = try find(songs.map(\.song))
        let change = try transaction.nextChange()
        var isChanged = false
        for (song, track) in zip(songs, tracks) where song.track != track {
            isChanged = true
            try noteTrack(ofSong: song.id, history: history)
            try transaction.execute(
                """
                UPDATE listen_songs SET track_id = \(track), change = \(change)
                WHERE history_id = \(history) AND id = \(song.id)
                """)
            try noteTrack(ofSong: song.id, history: history)
        }
        try transaction.execute(
            "UPDATE listen_histories SET resolved_song = \(last.id) WHERE user_id = \(userID) AND id = \(history)")
        if isChanged {
            try noteChange(ofHistory: history, userID: userID, difference: 0)
        }
        return songs.count == limit
    }

    /// Looks for all songs again, in a later version of the library.
    package func resolveAgain(for version: Int64, userID: String) throws {
        try transaction.execute(
            """
            UPDATE listen_histories SET resolved_song = 0, resolved_version = \(version)
            WHERE user_id = \(userID) AND resolved_version < \(version)
            """)
    }
}
