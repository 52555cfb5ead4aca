import Storage

extension Migration {
    /// What people change at their services, with a journal of the writes (docs/decisions/025-journal-of-writes.md).
    static let libraryEdits: [SQL] = [
        // `kind` is save, unsave, createPlaylist, addTracks, removeEntries or renamePlaylist; `target` names what is
        // edited: edits with the same target are made one after the other; `state` is queued, running, complete, failed
        // or unclear. `undo` is JSON: what undoes the change in the library. `done` and `total` count tracks. `missing`
        // is JSON: the songs that an edit has removed, should have put back, and has not; NULL for none. `part_of` is
        // the id of the job that makes the edit as a part of its own work; without one the edit has a job of its own.
        // `restores` is how often the database had been restored from a backup when the writes were begun, or were last
        // compared with the service.
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
            missing TEXT,
            done BIGINT NOT NULL,
            total BIGINT NOT NULL,
            error_code TEXT,
            error_message TEXT,
            question TEXT,
            job_id TEXT,
            part_of TEXT,
            restores BIGINT NOT NULL DEFAULT 0,
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
        "CREATE INDEX library_edits_missing ON library_edits (user_id, id) WHERE missing IS NOT NULL",
        // The writes of an edit, in order. `action` is JSON: what is written. `state` is planned, sent or done; `sent`
        // is committed before the request leaves. `before` and `after` are JSON: what is known about the playlist at
        // the service before and after the write.
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
    ]

    /// Playlists of one service that are copied to another (docs/copies.md).
    static let libraryCopies: [SQL] = [
        // `playlist_id` is copied, in the version `entries_version`, and `made_id` is the new playlist, once it has
        // been begun. `state` is queued, running, writing, complete or failed; `writing` while edits are under way, the
        // last of which is `last_edit`. `repeats` counts how often missing entries have been written again. `restores`
        // is as for edits.
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
            restores BIGINT NOT NULL DEFAULT 0,
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
        "CREATE INDEX library_copies_finished ON library_copies (finished_at) WHERE finished_at IS NOT NULL",
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
        // What a person has chosen in one source (`target`) for a song of another (`source`, `source_id`). Without a
        // `reference`, the song is left out.
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
    ]

    /// Files that people import (docs/imports.md).
    static let libraryImports: [SQL] = [
        // `file` is the name of the file beside the database, until it has been read. `kind` is appleMusicLibrary,
        // backline, csv, jspf or zip, once that is known; `state` is queued, running, complete, failed, undoing or
        // undone. The counts are of rows of the file. `pruning_since` is when the first of the rows that record what
        // the import added was deleted, so that the import can no longer be undone, and `pruned_at` when the last one
        // was deleted.
        """
        CREATE TABLE library_imports (
            user_id TEXT NOT NULL,
            id BIGINT NOT NULL,
            filename TEXT NOT NULL,
            file TEXT NOT NULL,
            bytes BIGINT NOT NULL,
            kind TEXT,
            state TEXT NOT NULL,
            rows_new BIGINT NOT NULL,
            rows_joined BIGINT NOT NULL,
            rows_skipped BIGINT NOT NULL,
            error TEXT,
            created_at BIGINT NOT NULL,
            finished_at BIGINT,
            pruning_since BIGINT,
            pruned_at BIGINT,
            change BIGINT NOT NULL,
            PRIMARY KEY (user_id, id)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        "CREATE INDEX library_imports_by_change ON library_imports (user_id, change)",
        // For removing files that no import needs any longer.
        "CREATE INDEX library_imports_of_files ON library_imports (file)",
        """
        CREATE INDEX library_imports_unpruned ON library_imports (finished_at)
        WHERE pruned_at IS NULL AND finished_at IS NOT NULL
        """,
        """
        CREATE TABLE library_import_skips (
            user_id TEXT NOT NULL,
            import_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            line BIGINT NOT NULL,
            reason TEXT NOT NULL,
            PRIMARY KEY (user_id, import_id, number)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        // What an import added: source tracks and playlists. `item` is track or playlist.
        """
        CREATE TABLE library_import_items (
            user_id TEXT NOT NULL,
            import_id BIGINT NOT NULL,
            item TEXT NOT NULL,
            item_id BIGINT NOT NULL,
            PRIMARY KEY (user_id, import_id, item, item_id)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        // For finding out whether another import added the same item.
        "CREATE INDEX library_import_items_of_item ON library_import_items (user_id, item, item_id)",
    ]
}
