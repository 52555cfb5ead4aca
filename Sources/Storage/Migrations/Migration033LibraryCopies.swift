extension Migration {
    /// Playlists of one service that are copied to another (docs/copies.md).
    static let libraryCopies = Migration(
        number: 33, name: "library copies",
        statements: [
            // `playlist_id` is copied, in the version `entries_version`, and `made_id` is the new playlist, once it has
            // been begun. `state` is queued, running, writing, complete or failed; `writing` while edits are under way,
            // the last of which is `last_edit`. `repeats` counts how often missing entries have been written again.
            """
            CREATE TABLE library_copies (
                user_id TEXT NOT NULL,
                id BIGINT NOT NULL,
                playlist_id BIGINT NOT NULL,
                entries_version BIGINT NOT NULL,
                name TEXT NOT NULL,
                description TEXT,
                target BIGINT NOT NULL,
                state TEXT NOT NULL,
                total BIGINT NOT NULL,
                made_id BIGINT,
                last_edit BIGINT,
                repeats BIGINT NOT NULL,
                job_id TEXT,
                error_code TEXT,
                error_message TEXT,
                created_at BIGINT NOT NULL,
                finished_at BIGINT,
                change BIGINT NOT NULL,
                PRIMARY KEY (user_id, id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX library_copies_by_change ON library_copies (user_id, change)",
            "CREATE INDEX library_copies_writing ON library_copies (last_edit) WHERE state = 'writing'",
            // `state` is pending, found, sent, placed, missing or leftOut. `reference` names the song for an edit;
            // `written_id` and `other_id` are the ids with which it was written. `tried` and `nearest` are JSON.
            """
            CREATE TABLE library_copy_entries (
                user_id TEXT NOT NULL,
                copy_id BIGINT NOT NULL,
                position BIGINT NOT NULL,
                state TEXT NOT NULL,
                source_track_id BIGINT,
                title TEXT NOT NULL,
                artist TEXT NOT NULL,
                reference TEXT,
                written_id TEXT,
                other_id TEXT,
                edit_id BIGINT,
                tried TEXT NOT NULL,
                nearest TEXT NOT NULL,
                PRIMARY KEY (user_id, copy_id, position)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX library_copy_entries_by_state ON library_copy_entries (user_id, copy_id, state, position)",
            // What a person has chosen in one source (`target`) for a song of another (`source`, `source_id`). Without
            // a `reference`, the song is left out.
            """
            CREATE TABLE library_copy_choices (
                user_id TEXT NOT NULL,
                source BIGINT NOT NULL,
                source_id TEXT NOT NULL,
                target BIGINT NOT NULL,
                reference TEXT,
                PRIMARY KEY (user_id, source, source_id, target)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
        ])
}
