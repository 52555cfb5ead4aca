import Model
import Storage

extension ReleaseStore {
    /// How far the lists of artists were read, by the artist's key and the service.
    func readings(ofArtists keys: some Sequence<String>) throws -> [String: [MusicSource: ReleaseReading]] {
        var readings: [String: [MusicSource: ReleaseReading]] = [:]
        for part in Array(keys).listParts {
            for row in try transaction.rows(
                """
                SELECT artist_key, source, country, artist_id, is_by_name, total, checked_at, complete_at
                FROM release_lists WHERE artist_key IN (\(list: part))
                """)
            {
                guard let source = MusicSource(rawValue: try row["source"]) else { continue }
                readings[try row["artist_key"], default: [:]][source] = ReleaseReading(
                    country: try row["country"], artistID: try row["artist_id"], isByName: try row["is_by_name"],
                    total: try row["total"], checkedAt: try row["checked_at"], completeAt: try row["complete_at"])
            }
        }
        return readings
    }

    /// What is known of an artist before a service is asked.
    func known(ofArtist key: String, at source: MusicSource) throws -> ReleaseLookup.Known {
        var known = ReleaseLookup.Known()
        known.reading = try readings(ofArtists: [key])[key]?[source]
        known.titleKeys = Set(
            try transaction.map("SELECT title_key FROM release_credits WHERE artist_key = \(key)") {
                try $0["title_key"] as String
            })
        known.albumIDs = Set(
            try transaction.map(
                """
                SELECT release_editions.album_id AS album_id
                FROM release_credits JOIN release_editions
                    ON release_editions.release_number = release_credits.release_number
                WHERE release_credits.artist_key = \(key) AND release_editions.source = \(source.rawValue)
                """
            ) { try $0["album_id"] as String })
        return known
    }
}

extension ReleaseStore where Access == WriteTransaction {
    /// How long a job has for one artist. After that another job may read it.
    static var claimLifetime: Duration { .seconds(1_800) }

    /// Reserves an artist for a job, so that no two jobs read it at the same time.
    ///
    /// - Returns: whether the artist is free.
    func claim(_ artist: WantedArtist, job: String, now: Timestamp) throws -> Bool {
        let expired = Timestamp(microseconds: now.microseconds - Self.claimLifetime.microseconds)
        try transaction.run(
            """
            INSERT INTO release_artists (artist_key, name, wanted_at) VALUES (\(artist.key), \(artist.name), \(now))
            ON CONFLICT (artist_key) DO NOTHING
            """)
        // A time in the future is from a clock that was ahead.
        return try transaction.execute(
            """
            UPDATE release_artists SET job_id = \(job), claimed_at = \(now), wanted_at = \(now)
            WHERE artist_key = \(artist.key)
                AND (job_id IS NULL OR job_id = \(job) OR claimed_at < \(expired) OR claimed_at > \(now))
            """) == 1
    }

    /// Ends a reservation.
    func endClaim(of key: String, job: String) throws {
        try transaction.run(
            """
            UPDATE release_artists SET job_id = NULL, claimed_at = NULL WHERE artist_key = \(key) AND job_id = \(job)
            """)
    }

    /// Whether a job still has an artist reserved. An erasure deletes an artist with its reservation.
    func hasClaim(of key: String, job: String) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS found FROM release_artists WHERE artist_key = \(key) AND job_id = \(job)") != nil
    }

    /// Notes that somebody active wants artists, so that they stay. Rows are written once a day.
    func markWanted(_ artists: [WantedArtist], now: Timestamp) throws {
        let day = Timestamp(microseconds: now.microseconds - 86_400_000_000)
        for part in artists.map(\.key).listParts {
            try transaction.run(
                """
                UPDATE release_artists SET wanted_at = \(now)
                WHERE artist_key IN (\(list: part)) AND (wanted_at < \(day) OR wanted_at > \(now))
                """)
        }
    }

    /// Stores how far a list was read.
    ///
    /// - Parameter completeAt: when the whole list was last read.
    func store(_ answer: ReleaseAnswer, ofArtist key: String, completeAt: Timestamp?, now: Timestamp) throws {
        try transaction.run(
            """
            INSERT INTO release_lists
                (artist_key, source, country, artist_id, is_by_name, total, checked_at, complete_at)
            VALUES (\(key), \(answer.source.rawValue), \(answer.country), \(answer.artistID), \(answer.isByName),
                \(answer.total), \(now), \(completeAt))
            ON CONFLICT (artist_key, source) DO UPDATE SET
                country = excluded.country, artist_id = excluded.artist_id, is_by_name = excluded.is_by_name,
                total = excluded.total, checked_at = excluded.checked_at, complete_at = excluded.complete_at
            """)
    }

    /// Stores that a service was asked in vain about an artist whom it had, so that it is not asked again today.
    func storeFailure(ofArtist key: String, at source: MusicSource, now: Timestamp) throws {
        try transaction.run(
            """
            UPDATE release_lists SET checked_at = \(now) WHERE artist_key = \(key) AND source = \(source.rawValue)
            """)
    }
}
