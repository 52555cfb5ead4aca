import Storage

/// A song of a history with the artist to whom it is attributed, and the number of its listens.
package struct SongListens: Sendable, Equatable {
    /// The song's key, by which a walk through the songs continues.
    package let song: Int64
    package let artist: String
    package let listens: Int
}

extension ListeningStore {
    /// The change numbers of people's histories, by the people's ids; without those who have none.
    package func changes(ofUsers userIDs: some Sequence<String>) throws -> [String: Int64] {
        try transaction.rows(
            "SELECT user_id, change FROM listen_histories WHERE user_id IN (\(list: Set(userIDs)))"
        ).reduce(into: [:]) { changes, row in changes[try row["user_id"]] = try row["change"] as Int64 }
    }

    /// The songs of a person's history in the order of their keys, at most `limit`.
    ///
    /// - Parameter song: begins after the song with this key.
    package func songListens(userID: String, after song: Int64, limit: Int) throws -> [SongListens] {
        guard let history = try historyID(ofUser: userID) else { return [] }
        return try transaction.map(
            """
            SELECT id, artist, plays FROM listen_songs
            WHERE history_id = \(history) AND id > \(song) ORDER BY id LIMIT \(limit)
            """
        ) { SongListens(song: try $0["id"], artist: try $0["artist"], listens: try $0["plays"]) }
    }
}
