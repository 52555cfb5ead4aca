extension Migration {
    /// Which recordings people love or hate (docs/listening.md).
    static let listenFeedback = Migration(
        number: 49, name: "feedback on recordings",
        statements: [
            // A program identifies the recording by its id at MusicBrainz, by the id that Backline gave to the words of
            // a listen (`recording_msid`), or by both; `score` is 1 or -1. The other columns have what was found about
            // it: the song of listens, its words, and a hash of its title and artist.
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
            // The key of the song up to which songs were searched for what feedback names; higher than all keys for
            // people without feedback.
            "ALTER TABLE listen_histories ADD COLUMN feedback_searched BIGINT NOT NULL DEFAULT 9223372036854775807",
            """
            CREATE INDEX listen_histories_unsearched ON listen_histories (id) WHERE feedback_searched < newest_song
            """,
        ])
}
