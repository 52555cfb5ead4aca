import Storage

extension Migration {
    /// People's libraries, both per service and combined. Keys are integers, from which the API makes UUIDs
    /// (docs/decisions/020-library-keys.md). Sources are numbers: 1 is Apple Music, 2 is Spotify; `sources` is their
    /// sum.
    static let libraryBaseline = Migration(
        domain: "library", number: 1, name: "baseline",
        statements: [
            libraryPeople, librarySongs, librarySongIdentity, libraryPlaylists, librarySyncs, libraryEdits,
            libraryCopies, libraryImports,
        ].flatMap { $0 })

    private static let libraryPeople: [SQL] = [
        // The newest key of any row of a library.
        "CREATE TABLE library_keys (value BIGINT NOT NULL)",
        "INSERT INTO library_keys (value) VALUES (0)",
        // A library for each person, with the counts that every page shows.
        //
        // `remasters_differ` is a setting: whether a remaster is a different song than the original. `identity_rules`
        // is the version of the rules that is being applied to the library, `identity_stage` the stage of that (0
        // deletes former keys, 1 makes keys, 2 groups, 3 is done, 4 groups what the setting can change), and
        // `identity_after` the key of the last processed row of the stage. `songs_change` is the number of the last
        // change of the library's songs: of the keys by which songs are found, or of their tracks. A sync that finds
        // nothing new does not change it.
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
            remasters_differ BIGINT NOT NULL DEFAULT 0,
            identity_rules BIGINT NOT NULL DEFAULT 0,
            identity_stage BIGINT NOT NULL DEFAULT 0,
            identity_after BIGINT NOT NULL DEFAULT 0,
            last_synced_at BIGINT,
            songs_change BIGINT NOT NULL DEFAULT 0,
            change BIGINT NOT NULL
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        "CREATE UNIQUE INDEX libraries_by_id ON libraries (id)",
        "CREATE INDEX libraries_by_songs_change ON libraries (songs_change)",
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
        // `removal_at` is when the person disconnected the source and its rows became due for deletion; `removal_key`
        // is higher than the keys of the rows that existed at that time.
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
        // The results of the last scans of a source's lists, to find out with one request whether a list has changed.
        // `list` is tracks, playlists or albums; `head` is a fingerprint of the first page; `unread` counts the entries
        // that the last complete scan did not get.
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
        // Everything that happened to a library. `kind` is added, missing, returned or changed; `item` is track,
        // playlist or album; `item_id` is the key of a source track, a playlist or an album: source tracks stay when
        // tracks are merged. `entries_version` is the version of a playlist's entries that was replaced.
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
    ]
}
