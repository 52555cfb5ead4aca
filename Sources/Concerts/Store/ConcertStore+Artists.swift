import Model
import Storage

extension ConcertStore {
    /// A user's ranked list, best first.
    package func rankedArtists(userID: String) throws -> [RankedArtist] {
        try transaction.rows("SELECT id, rank, name FROM ranked_artists WHERE user_id = \(userID) ORDER BY rank").map {
            RankedArtist(id: try $0["id"], name: try $0["name"], rank: try $0["rank"])
        }
    }
}

extension ConcertStore where Access == WriteTransaction {
    /// Puts a list in place of a user's; it holds 20 rows at most.
    package func replaceRankedArtists(_ artists: [RankedArtist], userID: String) throws {
        try transaction.execute("DELETE FROM ranked_artists WHERE user_id = \(userID)")
        for artist in artists {
            try transaction.execute(
                """
                INSERT INTO ranked_artists (user_id, id, rank, name)
                VALUES (\(userID), \(artist.id), \(artist.rank), \(artist.name))
                """)
        }
    }
}
