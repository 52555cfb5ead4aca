import Storage

extension Migration {
    /// The playlists and albums of each source, and the syncs that read everything.
    static let libraryPlaylists: [SQL] = [
        // `entries_version` names the entries to show; other versions are being read, or were replaced.
        // `upstream_version` is the service's version of them. `entries_state` is none, read, or forbidden. `is_due`
        // says that the entries have to be read, and `due_version` is the service's version of those. `read_at` is when
        // they were last read from the service; NULL before the first reading. `listed_count` is the number of entries
        // that the service's list of playlists reports, and `read_count` the number that it reported when the entries
        // were last read; NULL if it reports none.
        //
        // `can_edit` says whether the service lets the person add songs; NULL if it does not say. `edits` counts the
        // changes of the entries that were made here, so that positions that a page knows, and pages that a sync has
        // read, are not applied to a changed list.
        """
        CREATE TABLE library_playlists (
            id \(Dialect.integerKey) NOT NULL PRIMARY KEY,
            user_id TEXT NOT NULL,
            library_id BIGINT NOT NULL,
            source BIGINT NOT NULL,
            account_id BIGINT NOT NULL,
            source_id TEXT NOT NULL,
            name TEXT NOT NULL,
            name_key TEXT NOT NULL,
            description TEXT,
            owner_id TEXT,
            owner_name TEXT,
            is_public BIGINT,
            is_collaborative BIGINT,
            can_edit BIGINT,
            artwork TEXT,
            entry_count BIGINT NOT NULL,
            entries_version BIGINT NOT NULL,
            entries_state TEXT NOT NULL,
            edits BIGINT NOT NULL DEFAULT 0,
            upstream_version TEXT,
            is_due BIGINT NOT NULL,
            due_version TEXT,
            listed_count BIGINT,
            read_count BIGINT,
            read_at BIGINT,
            added_at BIGINT,
            missing_since BIGINT,
            synced_at BIGINT NOT NULL
        )
        """,
        """
        CREATE UNIQUE INDEX library_playlists_by_source ON library_playlists (library_id, source, source_id)
        """,
        "CREATE INDEX library_playlists_by_name ON library_playlists (library_id, name_key, id, source)",
        // For exporting a person's playlists with their entries.
        "CREATE INDEX library_playlists_of_user ON library_playlists (user_id, id)",
        // `kind` is track, local, episode or unavailable. A track's title is its own.
        """
        CREATE TABLE library_playlist_entries (
            playlist_id BIGINT NOT NULL,
            version BIGINT NOT NULL,
            position BIGINT NOT NULL,
            kind TEXT NOT NULL,
            source_track_id BIGINT,
            title TEXT,
            added_at BIGINT,
            PRIMARY KEY (playlist_id, version, position)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        // For deleting a source's tracks from playlists of other sources, and for finding where a track is.
        """
        CREATE INDEX library_playlist_entries_of_track ON library_playlist_entries (source_track_id)
        WHERE source_track_id IS NOT NULL
        """,
        """
        CREATE TABLE library_albums (
            id \(Dialect.integerKey) NOT NULL PRIMARY KEY,
            library_id BIGINT NOT NULL,
            source BIGINT NOT NULL,
            account_id BIGINT NOT NULL,
            source_id TEXT NOT NULL,
            name TEXT NOT NULL,
            artist TEXT NOT NULL,
            name_key TEXT NOT NULL,
            artist_key TEXT NOT NULL,
            artwork TEXT,
            release_date TEXT,
            track_count BIGINT,
            genres TEXT,
            added_at BIGINT,
            missing_since BIGINT,
            synced_at BIGINT NOT NULL
        )
        """,
        "CREATE UNIQUE INDEX library_albums_by_source ON library_albums (library_id, source, source_id)",
        "CREATE INDEX library_albums_by_name ON library_albums (library_id, name_key, id, source)",
    ]

    /// Syncs, and what they have read so far.
    static let librarySyncs: [SQL] = [
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
        // Pages of tracks that a sync has fetched but not written yet, each stored before the next one is requested: at
        // most three, in slots that are reused in turn. `page` is JSON.
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
        // playlist or album, and `item_id` is its key (for tracks, that of the source track); with the suffix Compared,
        // `item_id` is the key up to which the list has been compared.
        """
        CREATE TABLE library_sightings (
            library_id BIGINT NOT NULL,
            source BIGINT NOT NULL,
            item TEXT NOT NULL,
            item_id BIGINT NOT NULL,
            PRIMARY KEY (library_id, source, item, item_id)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
    ]
}
