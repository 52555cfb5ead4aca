extension Migration {
    /// What syncs record beside a library's contents: its history, what they have fetched and seen, the texts that
    /// searches read, and their own progress.
    static let librarySyncRecords: [SQL] = [
        // Everything that happened to a library. `kind` is added, missing, returned or changed; `item` is track,
        // playlist or album; `item_id` is the key of a source track, a playlist or an album: source tracks stay
        // when tracks are merged. `entries_version` is the version of a playlist's entries that was replaced.
        """
        CREATE TABLE library_changes (
            library_id BIGINT NOT NULL,
            id BIGINT NOT NULL,
            at BIGINT NOT NULL,
            sync BIGINT NOT NULL,
            kind TEXT NOT NULL,
            item TEXT NOT NULL,
            item_id BIGINT NOT NULL,
            source BIGINT NOT NULL,
            title TEXT NOT NULL,
            entries_version BIGINT,
            PRIMARY KEY (library_id, id)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        "CREATE INDEX library_changes_by_time ON library_changes (library_id, at, id)",
        // For deleting what is known about a source.
        "CREATE INDEX library_changes_of_source ON library_changes (library_id, source, id)",
        // Pages of tracks that a sync has fetched but not written yet, each stored before the next one is
        // requested: at most three, in slots that are reused in turn. `page` is JSON.
        """
        CREATE TABLE library_fetched_pages (
            library_id BIGINT NOT NULL,
            source BIGINT NOT NULL,
            place BIGINT NOT NULL,
            sync BIGINT NOT NULL,
            account_id BIGINT NOT NULL,
            page_offset BIGINT NOT NULL,
            page TEXT NOT NULL,
            fetched_at BIGINT NOT NULL,
            PRIMARY KEY (library_id, source, place)
        )
        """,
        // What a scan of a whole list has seen so far. What it has not seen by its end is missing. `item` is track,
        // playlist or album, and `item_id` is its key (for tracks, that of the source track); with the suffix
        // Compared, `item_id` is the key up to which the list has been compared.
        """
        CREATE TABLE library_sightings (
            library_id BIGINT NOT NULL,
            source BIGINT NOT NULL,
            item TEXT NOT NULL,
            item_id BIGINT NOT NULL,
            PRIMARY KEY (library_id, source, item, item_id)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        // The folded texts of many tracks in one value each, which a search reads one after the other
        // (docs/decisions/021-library-search.md).
        """
        CREATE TABLE library_search_blocks (
            library_id BIGINT NOT NULL,
            first_id BIGINT NOT NULL,
            entries \(Dialect.bytes) NOT NULL,
            texts \(Dialect.bytes) NOT NULL,
            PRIMARY KEY (library_id, first_id)
        )
        """,
        // Syncs, by the id of their job. `sources` are the requested ones. `state` is queued, running, complete,
        // partial, failed or cancelled.
        """
        CREATE TABLE library_syncs (
            id TEXT NOT NULL PRIMARY KEY,
            user_id TEXT NOT NULL,
            number BIGINT NOT NULL,
            sources BIGINT NOT NULL,
            is_single BIGINT NOT NULL,
            is_forced BIGINT NOT NULL,
            state TEXT NOT NULL,
            asked_at BIGINT NOT NULL,
            started_at BIGINT,
            finished_at BIGINT,
            merged BIGINT NOT NULL,
            change BIGINT NOT NULL
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        "CREATE INDEX library_syncs_of_user ON library_syncs (user_id, number)",
        "CREATE INDEX library_syncs_changed ON library_syncs (user_id, change)",
        // `state` is waiting, running, complete, skipped or failed; `phase` is tracks, playlists or albums.
        """
        CREATE TABLE library_sync_sources (
            sync_id TEXT NOT NULL,
            source BIGINT NOT NULL,
            state TEXT NOT NULL,
            phase TEXT,
            found BIGINT NOT NULL,
            added BIGINT NOT NULL,
            changed BIGINT NOT NULL,
            total BIGINT,
            error_code TEXT,
            error_message TEXT,
            is_dismissed BIGINT NOT NULL DEFAULT 0,
            finished_at BIGINT,
            PRIMARY KEY (sync_id, source)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
    ]
}
