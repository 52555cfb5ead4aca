import Storage

extension Migration {
    /// The releases of artists, and how far their lists at services were read. Only refreshes belong to people.
    static let releasesTables = Migration(
        domain: "releases", number: 1, name: "tables",
        statements: [
            // An artist, by the folded name, whom an active person ranks or listens to most. `wanted_at` is when a
            // person's job last named the artist, accurate to a day. `job_id` is the job that reads the artist since
            // `claimed_at`.
            """
            CREATE TABLE release_artists (
                artist_key TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL,
                wanted_at BIGINT NOT NULL,
                job_id TEXT,
                claimed_at BIGINT
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX release_artists_by_want ON release_artists (wanted_at)",
            // How far an artist's list at a service was read. `artist_id` is NULL where the service has no artist of
            // the name; `is_by_name` is 1 if the artist was found by the name alone. `total` is the length of the list
            // as the service reported it. `complete_at` is when the whole list was last read.
            """
            CREATE TABLE release_lists (
                artist_key TEXT NOT NULL,
                source TEXT NOT NULL,
                country TEXT NOT NULL,
                artist_id TEXT,
                is_by_name BIGINT NOT NULL,
                total BIGINT,
                checked_at BIGINT NOT NULL,
                complete_at BIGINT,
                PRIMARY KEY (artist_key, source)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // A release, with what its editions have in common. `artists` is a list as JSON, `picture` has a line for
            // each size. `out_at` is when a release that is announced will be out; NULL for all others. `published_at`
            // is when its items entered the timeline; NULL for what is not news.
            """
            CREATE TABLE releases (
                number \(Dialect.integerKey) NOT NULL PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                artist_key TEXT NOT NULL,
                title TEXT NOT NULL,
                artists TEXT NOT NULL,
                type BIGINT NOT NULL,
                release_date TEXT,
                picture TEXT,
                first_seen_at BIGINT NOT NULL,
                out_at BIGINT,
                published_at BIGINT
            )
            """,
            "CREATE INDEX releases_announced ON releases (out_at) WHERE out_at IS NOT NULL",
            // That a release is in an artist's list. Titles of one release have the same key.
            """
            CREATE TABLE release_credits (
                artist_key TEXT NOT NULL,
                release_number BIGINT NOT NULL,
                title_key TEXT NOT NULL,
                PRIMARY KEY (artist_key, release_number)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX release_credits_of_release ON release_credits (release_number, artist_key)",
            // An album in a service's lists. `missing_since` is when a complete list first lacked it.
            """
            CREATE TABLE release_editions (
                source TEXT NOT NULL,
                album_id TEXT NOT NULL,
                release_number BIGINT NOT NULL,
                title TEXT NOT NULL,
                name TEXT NOT NULL,
                artists TEXT NOT NULL,
                type BIGINT NOT NULL,
                release_date TEXT,
                track_count BIGINT,
                picture TEXT,
                url TEXT,
                missing_since BIGINT,
                PRIMARY KEY (source, album_id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX release_editions_of_release ON release_editions (release_number, source, album_id)",
            // How far the artists of a person were read. `asked` counts the requests of the person's acts, `done` and
            // `total` artists. `troubles` is a list as JSON.
            """
            CREATE TABLE release_refreshes (
                user_id TEXT NOT NULL PRIMARY KEY,
                state TEXT NOT NULL,
                asked BIGINT NOT NULL,
                done BIGINT NOT NULL,
                total BIGINT NOT NULL,
                begun_at BIGINT NOT NULL,
                ended_at BIGINT,
                troubles TEXT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
        ])
}
