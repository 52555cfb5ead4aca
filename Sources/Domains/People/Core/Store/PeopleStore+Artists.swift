import Model
import Storage
import Visibility

/// Up to which change of the listens the artists of a person were made.
package struct ArtistReading: Sendable, Equatable {
    package let person: PersonKey
    package let userID: String
    /// 0 without a history; `nil` if they were never made.
    package let listensChange: Int64?
    package let readAt: Timestamp?
}

extension PeopleStore {
    /// Active people in the order of their keys, with how far their artists were made.
    package func artistReadings(after person: PersonKey, limit: Int) throws -> [ArtistReading] {
        try transaction.map(
            """
            SELECT people.key, people.user_id, person_artist_versions.listens_change, person_artist_versions.read_at
            FROM people LEFT JOIN person_artist_versions ON person_artist_versions.person = people.key
            WHERE people.state = 0 AND people.key > \(person) ORDER BY people.key LIMIT \(limit)
            """
        ) { row in
            ArtistReading(
                person: try row["key"], userID: try row["user_id"], listensChange: try row["listens_change"],
                readAt: try row["read_at"])
        }
    }

    /// The artists of a person, from rank 1.
    package func artists(of person: PersonKey) throws -> [TopArtist] {
        try transaction.rows("SELECT artist FROM person_artists WHERE person = \(person) ORDER BY rank")
            .compactMap { TopArtist(name: try $0["artist"]) }
    }
}

extension PeopleStore where Access == WriteTransaction {
    /// Replaces the artists of a person. Nothing is written for somebody whose erasure has begun.
    ///
    /// - Parameter change: up to which change of the listens they were made.
    package func replaceArtists(
        _ artists: [TopArtist], of userID: String, listensChange change: Int64, now: Timestamp
    ) throws {
        guard let person = try transaction.visibility.viewer(userID: userID)?.key else { return }
        try transaction.run("DELETE FROM person_artists WHERE person = \(person)")
        for (index, artist) in artists.prefix(TopArtists.capacity).enumerated() {
            try transaction.run(
                """
                INSERT INTO person_artists (person, rank, artist_key, artist)
                VALUES (\(person), \(index + 1), \(artist.key), \(artist.name))
                """)
        }
        try transaction.run(
            """
            INSERT INTO person_artist_versions (person, listens_change, read_at) VALUES (\(person), \(change), \(now))
            ON CONFLICT (person) DO UPDATE SET listens_change = excluded.listens_change, read_at = excluded.read_at
            """)
    }
}
