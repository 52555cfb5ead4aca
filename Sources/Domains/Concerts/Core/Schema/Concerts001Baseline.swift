import Storage

extension Migration {
    /// Ranked artists, and the concerts that are looked up for them.
    static let concertsBaseline = Migration(
        domain: "concerts", number: 1, name: "baseline",
        statements: [
            // Each user's ranked list. `spotify_id`, `picture` (a line for each size, with the width if it is known)
            // and `genres` (one a line) are Spotify's; NULL for an artist about whom only the name is known.
            """
            CREATE TABLE ranked_artists (
                user_id TEXT NOT NULL,
                id TEXT NOT NULL,
                rank BIGINT NOT NULL,
                name TEXT NOT NULL,
                spotify_id TEXT,
                picture TEXT,
                genres TEXT,
                PRIMARY KEY (user_id, id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // People who have saved their list at least once, even if it is empty now.
            """
            CREATE TABLE artist_lists (
                user_id TEXT NOT NULL PRIMARY KEY,
                saved_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // The subjects for which concerts are looked up, shared by all users: artists and areas. The key is the
            // artist's folded name, or the folded city with the radius. `name_searched_at` is when the artist's name
            // was last searched for; NULL before the first time. `asked_at` is when a search last asked for the
            // subject, accurate to an hour.
            """
            CREATE TABLE concert_subjects (
                subject_key TEXT NOT NULL PRIMARY KEY,
                attraction_id TEXT,
                status TEXT,
                warning_code TEXT,
                checked_at BIGINT,
                name_searched_at BIGINT,
                asked_at BIGINT NOT NULL DEFAULT 0,
                job_id TEXT
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Subjects without an attraction, such as unknown names, are deleted sooner than artists.
            "CREATE INDEX concert_names_by_ask ON concert_subjects (asked_at) WHERE attraction_id IS NULL",
            "CREATE INDEX concert_artists_by_ask ON concert_subjects (asked_at) WHERE attraction_id IS NOT NULL",
            // `announcement` is what calendars show about the event, `revision` how often that has changed, and
            // `changed_at` when it last did.
            """
            CREATE TABLE concert_events (
                id TEXT NOT NULL PRIMARY KEY,
                event TEXT NOT NULL,
                announcement TEXT,
                revision BIGINT NOT NULL DEFAULT 0,
                changed_at BIGINT,
                updated_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // `by_name` is 1 for an event that names the artist only in its name, which later lookups by the attraction
            // do not find.
            """
            CREATE TABLE concert_subject_events (
                subject_key TEXT NOT NULL,
                event_id TEXT NOT NULL,
                by_name BIGINT NOT NULL DEFAULT 0,
                PRIMARY KEY (subject_key, event_id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX concert_subjects_of_event ON concert_subject_events (event_id)",
            // The location of a city: the median of its venues.
            """
            CREATE TABLE concert_cities (
                city_key TEXT NOT NULL PRIMARY KEY,
                latitude DOUBLE PRECISION,
                longitude DOUBLE PRECISION,
                checked_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX concert_cities_by_check ON concert_cities (checked_at)",
            // `is_running` says whether the search waits for lookups.
            """
            CREATE TABLE concert_searches (
                id TEXT NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                home_city TEXT,
                is_running BIGINT NOT NULL DEFAULT 0,
                created_at BIGINT NOT NULL,
                cancelled_at BIGINT,
                change BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX concert_searches_changed ON concert_searches (user_id, change)",
            // For erasing and exporting a person's searches in parts, in the order of their ids.
            "CREATE UNIQUE INDEX concert_searches_of_user ON concert_searches (user_id, id)",
            "CREATE INDEX concert_searches_running ON concert_searches (user_id) WHERE is_running = 1",
            // A search's artists; those with a job wait for it. `waits_since` is the number of the change with which
            // the search began to wait for the lookup. It orders the waiting searches; earlier ones come first.
            """
            CREATE TABLE concert_search_subjects (
                search_id TEXT NOT NULL,
                rank BIGINT NOT NULL,
                artist_id TEXT NOT NULL,
                name TEXT NOT NULL,
                subject_key TEXT NOT NULL,
                status TEXT,
                warning_code TEXT,
                resets_at BIGINT,
                job_id TEXT,
                waits_since BIGINT NOT NULL DEFAULT 0,
                PRIMARY KEY (search_id, rank)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            """
            CREATE INDEX concert_search_waiters ON concert_search_subjects (job_id, waits_since, search_id)
            WHERE job_id IS NOT NULL
            """,
        ])
}
