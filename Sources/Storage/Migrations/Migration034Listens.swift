extension Migration {
    /// What people listened to (docs/listening.md).
    static let listens = Migration(
        number: 34, name: "listens",
        statements: [
            // The history of a person, whose short key the other tables use. `change` is the change number for the
            // event stream; `resolved_version` is the version of the person's library against which all songs were
            // looked up.
            """
            CREATE TABLE listen_histories (
                user_id TEXT NOT NULL PRIMARY KEY,
                id BIGINT NOT NULL UNIQUE,
                listens BIGINT NOT NULL,
                change BIGINT NOT NULL,
                resolved_version BIGINT NOT NULL,
                resolved_song BIGINT NOT NULL
            )
            """,
            "CREATE INDEX listen_histories_by_change ON listen_histories (user_id, change)",
            // Programs that report listens.
            """
            CREATE TABLE listen_clients (
                history_id BIGINT NOT NULL,
                id BIGINT NOT NULL,
                name TEXT NOT NULL,
                PRIMARY KEY (history_id, id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Songs as sources describe them; `said_key` is a hash of the whole description. `track_id` is the song's
            // key in the person's library, `plays` the number of listens with this song, `change` the number of the
            // last change of `track_id`.
            """
            CREATE TABLE listen_songs (
                history_id BIGINT NOT NULL,
                id BIGINT NOT NULL,
                said_key BIGINT NOT NULL,
                title TEXT NOT NULL,
                artist TEXT NOT NULL,
                album TEXT,
                duration_ms BIGINT,
                isrc TEXT,
                recording_mbid TEXT,
                spotify_id TEXT,
                apple_music_id TEXT,
                track_id BIGINT,
                plays BIGINT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (history_id, id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE UNIQUE INDEX listen_songs_said ON listen_songs (history_id, said_key)",
            "CREATE INDEX listen_songs_by_change ON listen_songs (history_id, change) WHERE change > 0",
            "CREATE INDEX listen_songs_of_tracks ON listen_songs (history_id, track_id) WHERE track_id IS NOT NULL",
            // Tracks of the person's library whose listens are to be counted.
            """
            CREATE TABLE listen_tracks_to_count (
                history_id BIGINT NOT NULL,
                track_id BIGINT NOT NULL,
                PRIMARY KEY (history_id, track_id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Further details that were reported about songs, as JSON.
            """
            CREATE TABLE listen_details (
                history_id BIGINT NOT NULL,
                id BIGINT NOT NULL,
                said_key BIGINT NOT NULL,
                details TEXT NOT NULL,
                PRIMARY KEY (history_id, id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE UNIQUE INDEX listen_details_said ON listen_details (history_id, said_key)",
            // A source's report of a play. `time` is as reported, NULL if it equals `started_at`; `form` is 3 for the
            // end of a play and 0 for its start, plus 0, 1 or 2 for milliseconds, seconds and minutes. `listen_id` is
            // the listen to which it belongs. A row with `is_deleted` keeps its listen deleted.
            """
            CREATE TABLE listen_observations (
                history_id BIGINT NOT NULL,
                started_at BIGINT NOT NULL,
                id BIGINT NOT NULL,
                time BIGINT,
                form BIGINT NOT NULL,
                source BIGINT NOT NULL,
                client_id BIGINT,
                song_id BIGINT NOT NULL,
                played_ms BIGINT,
                source_id TEXT,
                details_id BIGINT,
                import_id BIGINT,
                is_deleted BIGINT NOT NULL,
                listen_id BIGINT NOT NULL,
                PRIMARY KEY (history_id, started_at, id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // For undoing imports.
            """
            CREATE INDEX listen_observations_of_imports ON listen_observations (history_id, import_id)
            WHERE import_id IS NOT NULL
            """,
            // Imports that repeated an observation of another one.
            """
            CREATE TABLE listen_repeats (
                history_id BIGINT NOT NULL,
                import_id BIGINT NOT NULL,
                started_at BIGINT NOT NULL,
                observation_id BIGINT NOT NULL,
                PRIMARY KEY (history_id, import_id, started_at, observation_id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX listen_repeats_of_observations ON listen_repeats (history_id, observation_id)",
            // Derived from observations. `sources` has a bit for each source.
            """
            CREATE TABLE listens (
                history_id BIGINT NOT NULL,
                started_at BIGINT NOT NULL,
                id BIGINT NOT NULL,
                song_id BIGINT NOT NULL,
                played_ms BIGINT,
                sources BIGINT NOT NULL,
                PRIMARY KEY (history_id, started_at, id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE UNIQUE INDEX listens_by_id ON listens (history_id, id)",
            // When each source last reported something.
            """
            CREATE TABLE listen_contacts (
                history_id BIGINT NOT NULL,
                source BIGINT NOT NULL,
                last_at BIGINT NOT NULL,
                PRIMARY KEY (history_id, source)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE TABLE listen_keys (value BIGINT NOT NULL)",
            "INSERT INTO listen_keys (value) VALUES (0)",
        ])
}
