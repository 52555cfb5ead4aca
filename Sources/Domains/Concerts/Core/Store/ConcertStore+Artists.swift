import Model
import Storage

extension ConcertStore {
    /// A user's ranked list, best first.
    package func rankedArtists(userID: String) throws -> [RankedArtist] {
        try transaction.rows(
            """
            SELECT id, rank, name, spotify_id, picture, genres FROM ranked_artists
            WHERE user_id = \(userID) ORDER BY rank
            """
        ).map { row in
            let spotifyID: String? = try row["spotify_id"]
            let genres: String? = try row["genres"]
            let spotify = try spotifyID.map { id in
                SpotifyArtist(
                    id: id, picture: (try row["picture"] as String?).flatMap { Picture(stored: $0) },
                    genres: (genres ?? "").split(separator: "\n").map(String.init))
            }
            return RankedArtist(id: try row["id"], name: try row["name"], rank: try row["rank"], spotify: spotify)
        }
    }

    /// Whether a user has ever saved their list, which may be empty.
    package func hasSavedArtists(userID: String) throws -> Bool {
        try transaction.row("SELECT 1 AS found FROM artist_lists WHERE user_id = \(userID)") != nil
    }
}

extension ConcertStore where Access == WriteTransaction {
    /// Replaces a user's list, which then counts as saved; it has at most 20 rows.
    package func replaceRankedArtists(_ artists: [RankedArtist], userID: String) throws {
        try transaction.run("DELETE FROM ranked_artists WHERE user_id = \(userID)")
        for artist in artists {
            let genres = (artist.spotify?.genres ?? []).map {
                $0.split(whereSeparator: \.isNewline).joined(separator: " ")
            }
            try transaction.run(
                """
                INSERT INTO ranked_artists (user_id, id, rank, name, spotify_id, picture, genres)
                VALUES (\(userID), \(artist.id), \(artist.rank), \(artist.name), \(artist.spotify?.id),
                    \(artist.spotify?.picture?.stored), \(genres.isEmpty ? nil : genres.joined(separator: "\n")))
                """)
        }
        try transaction.run(
            """
            INSERT INTO artist_lists (user_id, saved_at) VALUES (\(userID), \(Timestamp.now()))
            ON CONFLICT (user_id) DO UPDATE SET saved_at = excluded.saved_at
            """)
    }
}

extension Picture {
    /// One size per line: its width, if known, and its address.
    fileprivate var stored: String {
        offers.map { ($0.width.map { "\($0) " } ?? "") + $0.address }.joined(separator: "\n")
    }

    fileprivate init?(stored text: String) {
        self.init(
            text.split(separator: "\n").map { line in
                let parts = line.split(separator: " ", maxSplits: 1)
                guard parts.count == 2 else { return Offer(address: String(line)) }
                return Offer(address: String(parts[1]), width: Int(parts[0]))
            })
    }
}
