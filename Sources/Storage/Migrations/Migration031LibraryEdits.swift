extension Migration {
    /// What people change at their services, with a journal of the writes (docs/decisions/025-journal-of-writes.md).
    static let libraryEdits = Migration(
        number: 31, name: "library edits",
        statements: [
            // How often the entries of a playlist were changed here, so that positions that a page knows, and pages
            // that a sync has read, are not applied to a changed list.
            "ALTER TABLE library_playlists ADD COLUMN edits BIGINT NOT NULL DEFAULT 0",
            // Whether the service lets the person add songs; NULL if it does not say.
            "ALTER TABLE library_playlists ADD COLUMN can_edit BIGINT",
            // `kind` is save, unsave, createPlaylist, addTracks, removeEntries or renamePlaylist; `target` names what
            // is edited: edits with the same target are made one after the other; `state` is queued, running, complete,
            // failed or unclear. `undo` is JSON: what undoes the change in the library. `done` and `total` count
            // tracks. `part_of` is the id of the job that makes the edit as a part of its own work; without one the
            // edit has a job of its own.
            """
            CREATE TABLE library_edits (
                id \(Dialect.integerKey) NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL,
                library_id BIGINT NOT NULL,
                source BIGINT NOT NULL,
                account_id BIGINT NOT NULL,
                kind TEXT NOT NULL,
                target TEXT NOT NULL,
                state TEXT NOT NULL,
                playlist_id BIGINT,
                title TEXT NOT NULL,
                undo TEXT NOT NULL,
                done BIGINT NOT NULL,
                total BIGINT NOT NULL,
                error_code TEXT,
                error_message TEXT,
                question TEXT,
                job_id TEXT,
                part_of TEXT,
                created_at BIGINT NOT NULL,
                finished_at BIGINT,
                change BIGINT NOT NULL
            )
            """,
            "CREATE INDEX library_edits_of_user ON library_edits (user_id, id)",
            "CREATE INDEX library_edits_changed ON library_edits (user_id, change)",
            """
            CREATE INDEX library_edits_unfinished ON library_edits (library_id, target, id) WHERE finished_at IS NULL
            """,
            "CREATE INDEX library_edits_finished ON library_edits (finished_at) WHERE finished_at IS NOT NULL",
            "CREATE INDEX library_edits_of_playlist ON library_edits (playlist_id, id) WHERE playlist_id IS NOT NULL",
            // The writes of an edit, in order. `action` is JSON: what is written. `state` is planned, sent or done;
            // `sent` is committed before the request leaves. `before` and `after` are JSON: what is known about the
            // playlist at the service before and after the write.
            """
            CREATE TABLE library_edit_steps (
                edit_id BIGINT NOT NULL,
                number BIGINT NOT NULL,
                action TEXT NOT NULL,
                state TEXT NOT NULL,
                before TEXT,
                after TEXT,
                sent_at BIGINT,
                lost_at BIGINT,
                answered_at BIGINT,
                PRIMARY KEY (edit_id, number)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Rows of a library that scans of the source must not revert while an edit of them is unfinished, and
            // afterwards until `until`.
            """
            CREATE TABLE library_edit_holds (
                edit_id BIGINT NOT NULL,
                item TEXT NOT NULL,
                item_id BIGINT NOT NULL,
                library_id BIGINT NOT NULL,
                kind TEXT NOT NULL,
                until BIGINT,
                PRIMARY KEY (edit_id, item, item_id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX library_edit_holds_of_item ON library_edit_holds (library_id, item, item_id)",
        ])
}
