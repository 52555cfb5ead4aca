extension Migration {
    /// Tables for reading Spotify's list of recently played songs.
    static let spotifyPlays = Migration(
        number: 37, name: "spotify plays",
        statements: [
            // How far a person's list was read. `newest_at` is the end of the newest play in it. Plays that ended by
            // `left_out_until` are left out, since the person has removed what the list reported before.
            """
            CREATE TABLE listen_spotify_reads (
                history_id BIGINT NOT NULL PRIMARY KEY,
                newest_at BIGINT,
                left_out_until BIGINT
            )
            """,
            // Periods for which a source could not report all plays.
            """
            CREATE TABLE listen_gaps (
                history_id BIGINT NOT NULL,
                source BIGINT NOT NULL,
                from_at BIGINT NOT NULL,
                to_at BIGINT NOT NULL,
                PRIMARY KEY (history_id, source, from_at)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
        ])
}
