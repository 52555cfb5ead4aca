extension Migration {
    /// People's libraries, both per service and combined. Keys are integers, from which the API makes UUIDs
    /// (docs/decisions/020-library-keys.md). Sources are numbers: 1 is Apple Music, 2 is Spotify; `sources` is their
    /// sum.
    static let library = Migration(number: 25, name: "library", statements: libraryContents + librarySyncRecords)

    /// What a library contains.
    private static let libraryContents: [SQL] = [
        // The newest key of any row below.
        "CREATE TABLE library_keys (value BIGINT NOT NULL)",
        "INSERT INTO library_keys (value) VALUES (0)",
        // A library for each person, with the counts that every page shows.
        """
        CREATE TABLE libraries (
            user_id TEXT NOT NULL PRIMARY KEY,
            id BIGINT NOT NULL,
            tracks BIGINT NOT NULL DEFAULT 0,
            apple_tracks BIGINT NOT NULL DEFAULT 0,
            spotify_tracks BIGINT NOT NULL DEFAULT 0,
            shared_tracks BIGINT NOT NULL DEFAULT 0,
            missing_tracks BIGINT NOT NULL DEFAULT 0,
            playlists BIGINT NOT NULL DEFAULT 0,
            albums BIGINT NOT NULL DEFAULT 0,
            last_synced_at BIGINT,
            change BIGINT NOT NULL
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        "CREATE UNIQUE INDEX libraries_by_id ON libraries (id)",
        // The accounts whose libraries were read. Source rows name theirs.
        """
        CREATE TABLE library_accounts (
            library_id BIGINT NOT NULL,
            source BIGINT NOT NULL,
            account TEXT NOT NULL,
            id BIGINT NOT NULL,
            PRIMARY KEY (library_id, source, account)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        // The results of the last scans of a source's lists, to find out with one request whether a list has
        // changed. `list` is tracks, playlists or albums; `head` is a fingerprint of the first page; `unread`
        // counts the entries that the last complete scan did not get.
        """
        CREATE TABLE library_readings (
            library_id BIGINT NOT NULL,
            source BIGINT NOT NULL,
            list TEXT NOT NULL,
            account_id BIGINT NOT NULL,
            total BIGINT,
            head TEXT,
            unread BIGINT,
            read_at BIGINT NOT NULL,
            whole_at BIGINT,
            PRIMARY KEY (library_id, source, list)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        // `removal_at` is when the person disconnected the source and its rows became due for deletion;
        // `removal_key` is higher than the keys of the rows that existed at that time.
        """
        CREATE TABLE library_sources (
            library_id BIGINT NOT NULL,
            source BIGINT NOT NULL,
            account_id BIGINT,
            storefront TEXT,
            credential TEXT,
            question TEXT,
            completed_at BIGINT,
            removal_at BIGINT,
            removal_key BIGINT,
            PRIMARY KEY (library_id, source)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        "CREATE INDEX library_sources_to_remove ON library_sources (removal_at) WHERE removal_at IS NOT NULL",
        // Songs, each with the values that people see and by which they sort. `sources` are the ones that have it;
        // the keys are folded texts.
        """
        CREATE TABLE library_tracks (
            id \(Dialect.integerKey) NOT NULL PRIMARY KEY,
            library_id BIGINT NOT NULL,
            title TEXT NOT NULL,
            artist TEXT NOT NULL,
            album TEXT NOT NULL,
            title_key TEXT NOT NULL,
            artist_key TEXT NOT NULL,
            album_key TEXT NOT NULL,
            sources BIGINT NOT NULL,
            is_saved BIGINT NOT NULL,
            missing_since BIGINT,
            album_artist TEXT,
            composer TEXT,
            genres TEXT,
            duration_ms BIGINT,
            isrc TEXT,
            is_explicit BIGINT,
            disc_number BIGINT,
            track_number BIGINT,
            album_position BIGINT NOT NULL,
            release_date TEXT,
            artwork TEXT,
            added_at BIGINT NOT NULL,
            plays BIGINT NOT NULL
        )
        """,
        """
        CREATE INDEX library_tracks_recent ON library_tracks (library_id, added_at, id, sources)
        """,
        """
        CREATE INDEX library_tracks_by_title ON library_tracks (library_id, title_key, id, sources)
        """,
        """
        CREATE INDEX library_tracks_by_artist
        ON library_tracks (library_id, artist_key, album_key, album_position, id, sources)
        """,
        """
        CREATE INDEX library_tracks_by_album
        ON library_tracks (library_id, album_key, album_position, id, sources)
        """,
        """
        CREATE INDEX library_tracks_by_plays ON library_tracks (library_id, plays, id, sources)
        """,
        "CREATE INDEX library_tracks_by_isrc ON library_tracks (library_id, isrc, id) WHERE isrc IS NOT NULL",
        // What each source says about a track.
        """
        CREATE TABLE library_source_tracks (
            id \(Dialect.integerKey) NOT NULL PRIMARY KEY,
            library_id BIGINT NOT NULL,
            track_id BIGINT NOT NULL,
            source BIGINT NOT NULL,
            account_id BIGINT NOT NULL,
            source_id TEXT NOT NULL,
            is_saved BIGINT NOT NULL,
            missing_since BIGINT,
            title TEXT NOT NULL,
            artist TEXT NOT NULL,
            album TEXT NOT NULL,
            catalog_id TEXT,
            storefront TEXT,
            album_artist TEXT,
            composer TEXT,
            genres TEXT,
            duration_ms BIGINT,
            isrc TEXT,
            is_explicit BIGINT,
            disc_number BIGINT,
            track_number BIGINT,
            release_date TEXT,
            artwork TEXT,
            added_at BIGINT,
            popularity BIGINT,
            preview TEXT,
            plays BIGINT,
            last_played_at BIGINT,
            rating BIGINT,
            created_at BIGINT NOT NULL,
            synced_at BIGINT NOT NULL
        )
        """,
        """
        CREATE UNIQUE INDEX library_source_tracks_by_source
        ON library_source_tracks (library_id, source, source_id)
        """,
        "CREATE INDEX library_source_tracks_of_track ON library_source_tracks (track_id, library_id)",
        // For deleting a source, and for finding what a complete scan has not seen.
        """
        CREATE INDEX library_source_tracks_saved
        ON library_source_tracks (library_id, source, is_saved, account_id, id)
        """,
        // `entries_version` names the entries to show; other versions are being read, or were replaced.
        // `upstream_version` is the service's version of them. `entries_state` is none, read, or forbidden.
        // `is_due` says that the entries have to be read, and `due_version` is the service's version of those.
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
            artwork TEXT,
            entry_count BIGINT NOT NULL,
            entries_version BIGINT NOT NULL,
            entries_state TEXT NOT NULL,
            upstream_version TEXT,
            is_due BIGINT NOT NULL,
            due_version TEXT,
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
}
