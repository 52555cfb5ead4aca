import Model
import Storage
import Timeline

extension ReleaseStore where Access == WriteTransaction {
    /// Deletes artists whom nobody active has wanted since a moment, with the releases that are in no other list. One
    /// transaction deletes one artist, or a part of the releases of one.
    ///
    /// - Parameter limit: the most releases of one transaction.
    /// - Returns: how many rows were deleted; 0 when nothing is left to delete.
    package func prune(wantedBefore cutoff: PruningTime, limit: Int, now: Timestamp) throws -> Int {
        guard
            let key: String = try transaction.row(
                """
                SELECT artist_key FROM release_artists WHERE wanted_at < \(cutoff.moment) ORDER BY wanted_at LIMIT 1
                """)?["artist_key"]
        else { return 0 }
        return try forget(key, limit: limit, now: now)
    }

    /// Deletes an artist with the releases that are in no other list, or a part of the releases.
    ///
    /// - Parameter limit: the most releases of one transaction.
    /// - Returns: how many rows were deleted; the artist is there as long as that is the limit.
    func forget(_ key: String, limit: Int, now: Timestamp) throws -> Int {
        let rows = try transaction.rows(
            """
            SELECT releases.number AS number, releases.id AS id, releases.artist_key AS artist_key,
                releases.title AS title, releases.artists AS artists, releases.type AS type,
                releases.release_date AS release_date, releases.picture AS picture,
                releases.first_seen_at AS first_seen_at, releases.published_at AS published_at,
                CASE WHEN EXISTS (
                    SELECT 1 FROM release_credits AS others
                    WHERE others.release_number = releases.number AND others.artist_key <> \(key)) THEN 1 ELSE 0 END
                    AS is_shared
            FROM release_credits JOIN releases ON releases.number = release_credits.release_number
            WHERE release_credits.artist_key = \(key) ORDER BY release_credits.release_number LIMIT \(limit)
            """)
        for row in rows {
            let (release, published) = (try Release(row: row), try row["published_at"] as Timestamp?)
            guard try row["is_shared"] as Bool else {
                try delete(release, publishedAt: published, now: now)
                continue
            }
            if let published {
                let author = try transaction.timeline.author(of: .releases(ofArtist: key))
                try transaction.timeline.remove(
                    .release, number: release.number, id: release.id, by: [author], moment: published, now: now)
            }
            try transaction.run(
                "DELETE FROM release_credits WHERE artist_key = \(key) AND release_number = \(release.number)")
        }
        guard rows.count < limit else { return limit }
        try transaction.run("DELETE FROM release_lists WHERE artist_key = \(key)")
        try transaction.run("DELETE FROM release_artists WHERE artist_key = \(key)")
        try transaction.timeline.deleteUnused(.releases(ofArtist: key))
        return rows.count + 1
    }
}
