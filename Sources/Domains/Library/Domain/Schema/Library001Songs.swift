import Storage

extension Migration {
    /// Songs, what each source says about them, and the texts in which a search looks for them.
    static let librarySongs: [SQL] = [
        // Songs, each with the values that people see and by which they sort. `sources` are the ones that have it; the
        // keys are folded texts. `plays` is what the services report, `listens` the number of the person's listens with
        // the track, and `total_plays` the greater of both.
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
            plays BIGINT NOT NULL,
            listens BIGINT NOT NULL DEFAULT 0,
            total_plays BIGINT NOT NULL DEFAULT 0
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
        "CREATE INDEX library_tracks_by_total_plays ON library_tracks (library_id, total_plays, id, sources)",
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
        // Source tracks are found by their own ISRCs: a track may have several.
        """
        CREATE INDEX library_source_tracks_by_isrc ON library_source_tracks (library_id, isrc)
        WHERE isrc IS NOT NULL
        """,
        // Finds songs by the ids of Apple Music's catalog.
        """
        CREATE INDEX library_source_tracks_by_catalog ON library_source_tracks (library_id, source, catalog_id)
        WHERE catalog_id IS NOT NULL
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
    ]

    /// Which source tracks are the same song: the keys by which they are found, people's decisions, and possible
    /// matches (docs/identity.md).
    static let librarySongIdentity: [SQL] = [
        // The keys by which source tracks are found, besides their ISRCs: hashes of names.
        """
        CREATE TABLE library_identity_keys (
            library_id BIGINT NOT NULL,
            identity_key BIGINT NOT NULL,
            source_track_id BIGINT NOT NULL,
            PRIMARY KEY (library_id, identity_key, source_track_id)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        // Ids of tracks that were merged into others. `source_track_id` is the source track that the former track had
        // first: if it leaves the track, it gets the former id back.
        """
        CREATE TABLE library_former_tracks (
            id \(Dialect.integerKey) NOT NULL PRIMARY KEY,
            library_id BIGINT NOT NULL,
            track_id BIGINT NOT NULL,
            source_track_id BIGINT NOT NULL
        )
        """,
        "CREATE INDEX library_former_tracks_of_track ON library_former_tracks (track_id, library_id)",
        """
        CREATE INDEX library_former_tracks_of_source_track ON library_former_tracks (source_track_id, library_id)
        """,
        // A person's decisions. `kind` is merge or split. A split may also keep the source tracks of each side together
        // (`holds_sides`). `split_track_id` is the track whose id stays with the first side while the decision is in
        // force, and returns to where it was when the decision is undone; NULL for a merge.
        """
        CREATE TABLE library_decisions (
            id \(Dialect.integerKey) NOT NULL PRIMARY KEY,
            library_id BIGINT NOT NULL,
            kind TEXT NOT NULL,
            holds_sides BIGINT NOT NULL,
            split_track_id BIGINT,
            at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX library_decisions_of_library ON library_decisions (library_id, id)",
        // The source tracks that a decision is about, by the source's ids: the decision outlives their rows.
        """
        CREATE TABLE library_decision_tracks (
            library_id BIGINT NOT NULL,
            decision_id BIGINT NOT NULL,
            source BIGINT NOT NULL,
            source_id TEXT NOT NULL,
            side BIGINT NOT NULL,
            PRIMARY KEY (library_id, decision_id, source, source_id)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        // Pairs of tracks that may be the same song, with the source tracks that are most alike.
        """
        CREATE TABLE library_duplicates (
            library_id BIGINT NOT NULL,
            first_track_id BIGINT NOT NULL,
            second_track_id BIGINT NOT NULL,
            first_source_track_id BIGINT NOT NULL,
            second_source_track_id BIGINT NOT NULL,
            likelihood BIGINT NOT NULL,
            PRIMARY KEY (library_id, first_track_id, second_track_id)
        ) \(Dialect.clusteredByPrimaryKey)
        """,
        "CREATE INDEX library_duplicates_of_second ON library_duplicates (library_id, second_track_id)",
        """
        CREATE INDEX library_duplicates_by_likelihood
        ON library_duplicates (library_id, likelihood, first_track_id, second_track_id)
        """,
    ]
}
