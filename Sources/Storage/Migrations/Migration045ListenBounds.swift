extension Migration {
    /// Indexes that keep the work for new listens independent of the size of the history, and counters for quotas.
    static let listenBounds = Migration(
        number: 45, name: "listen bounds",
        statements: [
            // For repeats of a song at one moment, and for songs that no observation names any longer.
            """
            CREATE INDEX listen_observations_of_songs ON listen_observations (history_id, song_id, started_at, id)
            """,
            """
            CREATE INDEX listen_observations_of_details ON listen_observations (history_id, details_id)
            WHERE details_id IS NOT NULL
            """,
            // For the other observations of a listen.
            "CREATE INDEX listen_observations_of_listens ON listen_observations (history_id, listen_id)",
            "CREATE INDEX listen_clients_by_name ON listen_clients (history_id, name)",
            // What a person stores, for quotas: observations, and the bytes of songs, of programs' names and of further
            // details.
            "ALTER TABLE listen_histories ADD COLUMN observations BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE listen_histories ADD COLUMN said_bytes BIGINT NOT NULL DEFAULT 0",
            """
            UPDATE listen_histories
            SET observations = (
                    SELECT COUNT(*) FROM listen_observations o WHERE o.history_id = listen_histories.id),
                said_bytes = (
                    SELECT COALESCE(SUM(\(Dialect.byteCount(of: "title")) + \(Dialect.byteCount(of: "artist"))
                        + COALESCE(\(Dialect.byteCount(of: "album")), 0)
                        + COALESCE(\(Dialect.byteCount(of: "isrc")), 0)
                        + COALESCE(\(Dialect.byteCount(of: "recording_mbid")), 0)
                        + COALESCE(\(Dialect.byteCount(of: "spotify_id")), 0)
                        + COALESCE(\(Dialect.byteCount(of: "apple_music_id")), 0)), 0)
                    FROM listen_songs s WHERE s.history_id = listen_histories.id)
                    + (SELECT COALESCE(SUM(\(Dialect.byteCount(of: "details"))), 0)
                    FROM listen_details d WHERE d.history_id = listen_histories.id)
                    + (SELECT COALESCE(SUM(\(Dialect.byteCount(of: "name"))), 0)
                    FROM listen_clients c WHERE c.history_id = listen_histories.id)
            """,
        ])
}
