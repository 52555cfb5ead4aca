extension Migration {
    /// Which source tracks are the same song: the keys by which they are found, people's decisions, and possible
    /// matches (docs/identity.md).
    static let identity = Migration(
        number: 26, name: "identity",
        statements: [
            // A setting: whether a remaster is a different song than the original.
            "ALTER TABLE libraries ADD COLUMN remasters_differ BIGINT NOT NULL DEFAULT 0",
            // The version of the rules that is being applied to the library, the stage of that (0 deletes former keys,
            // 1 makes keys, 2 groups, 3 is done, 4 groups what the setting above can change), and the key of the last
            // processed row of the stage.
            "ALTER TABLE libraries ADD COLUMN identity_rules BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE libraries ADD COLUMN identity_stage BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE libraries ADD COLUMN identity_after BIGINT NOT NULL DEFAULT 0",
            // The keys by which source tracks are found, besides their ISRCs: hashes of names.
            """
            CREATE TABLE library_identity_keys (
                library_id BIGINT NOT NULL,
                identity_key BIGINT NOT NULL,
                source_track_id BIGINT NOT NULL,
                PRIMARY KEY (library_id, identity_key, source_track_id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Source tracks are found by their own ISRCs: a track may have several.
            "DROP INDEX library_tracks_by_isrc",
            """
            CREATE INDEX library_source_tracks_by_isrc ON library_source_tracks (library_id, isrc)
            WHERE isrc IS NOT NULL
            """,
            // Ids of tracks that were merged into others. `source_track_id` is the source track that the former track
            // had first: if it leaves the track, it gets the former id back.
            """
            CREATE TABLE library_former_tracks (
                id \(Dialect.integerKey) NOT NULL PRIMARY KEY,
                library_id BIGINT NOT NULL,
                track_id BIGINT NOT NULL,
                source_track_id BIGINT NOT NULL
            )
            """,
            "CREATE INDEX library_former_tracks_of_track ON library_former_tracks (track_id, library_id)",
            """
            CREATE INDEX library_former_tracks_of_source_track ON library_former_tracks (source_track_id, library_id)
            """,
            // A person's decisions. `kind` is merge or split. A split may also keep the source tracks of each side
            // together (`holds_sides`).
            """
            CREATE TABLE library_decisions (
                id \(Dialect.integerKey) NOT NULL PRIMARY KEY,
                library_id BIGINT NOT NULL,
                kind TEXT NOT NULL,
                holds_sides BIGINT NOT NULL,
                at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX library_decisions_of_library ON library_decisions (library_id, id)",
            // The source tracks that a decision is about, by the source's ids: the decision outlives their rows.
            """
            CREATE TABLE library_decision_tracks (
                library_id BIGINT NOT NULL,
                decision_id BIGINT NOT NULL,
                source BIGINT NOT NULL,
                source_id TEXT NOT NULL,
                side BIGINT NOT NULL,
                PRIMARY KEY (library_id, decision_id, source, source_id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Pairs of tracks that may be the same song, with the source tracks that are most alike.
            """
            CREATE TABLE library_duplicates (
                library_id BIGINT NOT NULL,
                first_track_id BIGINT NOT NULL,
                second_track_id BIGINT NOT NULL,
                first_source_track_id BIGINT NOT NULL,
                second_source_track_id BIGINT NOT NULL,
                likelihood BIGINT NOT NULL,
                PRIMARY KEY (library_id, first_track_id, second_track_id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX library_duplicates_of_second ON library_duplicates (library_id, second_track_id)",
            """
            CREATE INDEX library_duplicates_by_likelihood
            ON library_duplicates (library_id, likelihood, first_track_id, second_track_id)
            """,
        ])
}
