import Storage

extension Migration {
    /// What people listened to (docs/listening.md).
    static let listeningBaseline = Migration(
        domain: "listening", number: 1, name: "baseline",
        statements: [listens, listenReporting].flatMap { $0 })

    /// Songs and listens.
    private static let listens: [SQL] = [
        // The newest key of any row of a history.
        "CREATE TABLE listen_keys (value BIGINT NOT NULL)",
        "INSERT INTO listen_keys (value) VALUES (0)",
        // The history of a person, whose short key the other tables use. `observations` and `said_bytes` are what the
        // person stores, for quotas: observations, and the bytes of songs, of programs' names and of further details.
        //
        // `newest_song` is the key of the song that was added last. `resolved_version` is the version of the person's
        // library against which all songs were looked up; songs with keys above `resolved_song` have not been looked
        // up. `feedback_searched` is the key of the song up to which songs were searched for what feedback names;
        // higher than all keys for people without feedback. `change` is the change number for the event stream.
        """
        CREATE TABLE listen_histories (
            user_id TEXT NOT NULL PRIMARY KEY,
            id BIGINT NOT NULL UNIQUE,
            listens BIGINT NOT NULL,
            observations BIGINT NOT NULL DEFAULT 0,
            said_bytes BIGINT NOT NULL DEFAULT 0,
            newest_song BIGINT NOT NULL DEFAULT 0,
            resolved_version BIGINT NOT NULL,
            resolved_song BIGINT NOT NULL,
            feedback_searched BIGINT NOT NULL DEFAULT 9223372036854775807,
            change BIGINT NOT NULL
        )
        """,
        "CREATE INDEX listen_histories_by_change ON listen_histories (user_id, change)",
        """
        CREATE INDEX listen_histories_unresolved ON listen_histories (id) WHERE resolved_song < newest_song
        """,
        """
        CREATE INDEX listen_histories_unsearched ON listen_histories (id) WHERE feedback_searched < newest_song
        """,
        // Songs as sources describe them; `said_key` is a hash of the whole description. `track_id` is the song's key
        // in the person's library, `plays` the number of listens with this song, `change` the number of the last change
        // of `track_id`.
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
        // A source's report of a play. `time` is as reported, NULL if it equals `started_at`; `form` is 3 for the end
        // of a play and 0 for its start, plus 0, 1 or 2 for milliseconds, seconds and minutes. `listen_id` is the
        // listen to which it belongs. A row with `is_deleted` keeps its listen deleted.
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
        // This and the following indexes keep the work for new listens independent of the size of the history. For
        // repeats of a song at one moment, and for songs that no observation names any longer.
        """
        CREATE INDEX listen_observations_of_songs ON listen_observations (history_id, song_id, started_at, id)
        """,
        """
        CREATE INDEX listen_observations_of_details ON listen_observations (history_id, details_id)
        WHERE details_id IS NOT NULL
        """,
        // For the other observations of a listen.
        "CREATE INDEX listen_observations_of_listens ON listen_observations (history_id, listen_id)",
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
        // The months (of UTC, from year 0) that have listens, with the number of their last change, so that readers
        // that cache months in memory only read the changed ones.
        """
        CREATE TABLE listen_months (
            history_id BIGINT NOT NULL,
            month BIGINT NOT NULL,
            change BIGINT NOT NULL,
            PRIMARY KEY (history_id, month)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
    ]

    /// Who reports listens and feedback, and how far lists of services were read.
    private static let listenReporting: [SQL] = [
        // Programs that report listens.
        """
        CREATE TABLE listen_clients (
            history_id BIGINT NOT NULL,
            id BIGINT NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (history_id, id)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        "CREATE INDEX listen_clients_by_name ON listen_clients (history_id, name)",
        // When each source last reported something.
        """
        CREATE TABLE listen_contacts (
            history_id BIGINT NOT NULL,
            source BIGINT NOT NULL,
            last_at BIGINT NOT NULL,
            PRIMARY KEY (history_id, source)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        // Until when programs have imported listens from another service, in seconds since 1970.
        """
        CREATE TABLE listen_latest_imports (
            history_id BIGINT NOT NULL,
            service TEXT NOT NULL,
            latest BIGINT NOT NULL,
            PRIMARY KEY (history_id, service)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        // Sources whose observations are being removed: the ones with keys up to `until_id`.
        """
        CREATE TABLE listen_removals (
            history_id BIGINT NOT NULL,
            source BIGINT NOT NULL,
            until_id BIGINT NOT NULL,
            PRIMARY KEY (history_id, source)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        // How far a person's list of recently played songs at Spotify was read. `newest_at` is the end of the newest
        // play in it. Plays that ended by `left_out_until` are left out, since the person has removed what the list
        // reported before.
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
        // Which recordings people love or hate. A program identifies the recording by its id at MusicBrainz, by the id
        // that Backline gave to the words of a listen (`recording_msid`), or by both; `score` is 1 or -1. The other
        // columns have what was found about it: the song of listens, its words, and a hash of its title and artist.
        """
        CREATE TABLE listen_feedback (
            history_id BIGINT NOT NULL,
            id BIGINT NOT NULL,
            recording_msid TEXT,
            recording_mbid TEXT,
            score BIGINT NOT NULL,
            created_at BIGINT NOT NULL,
            song_id BIGINT,
            song_key BIGINT,
            title TEXT,
            artist TEXT,
            album TEXT,
            PRIMARY KEY (history_id, id)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        """
        CREATE INDEX listen_feedback_by_msid ON listen_feedback (history_id, recording_msid)
        WHERE recording_msid IS NOT NULL
        """,
        """
        CREATE INDEX listen_feedback_by_mbid ON listen_feedback (history_id, recording_mbid)
        WHERE recording_mbid IS NOT NULL
        """,
        "CREATE INDEX listen_feedback_by_song ON listen_feedback (history_id, song_key) WHERE song_key IS NOT NULL",
    ]
}
