extension Migration {
    static let concerts = Migration(
        number: 4, name: "concerts",
        statements: [
            // Each user's ranked list.
            """
            CREATE TABLE ranked_artists (
                user_id TEXT NOT NULL,
                id TEXT NOT NULL,
                rank BIGINT NOT NULL,
                name TEXT NOT NULL,
                PRIMARY KEY (user_id, id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // The subjects for which concerts are looked up, shared by all users: artists and areas. The key is the
            // artist's folded name, or the folded city with the radius.
            """
            CREATE TABLE concert_subjects (
                subject_key TEXT NOT NULL PRIMARY KEY,
                attraction_id TEXT,
                status TEXT,
                warning_code TEXT,
                checked_at BIGINT,
                job_id TEXT
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            """
            CREATE TABLE concert_events (
                id TEXT NOT NULL PRIMARY KEY,
                event TEXT NOT NULL,
                updated_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            """
            CREATE TABLE concert_subject_events (
                subject_key TEXT NOT NULL,
                event_id TEXT NOT NULL,
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
            """
            CREATE TABLE concert_searches (
                id TEXT NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                home_city TEXT,
                created_at BIGINT NOT NULL,
                cancelled_at BIGINT,
                change BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX concert_searches_changed ON concert_searches (user_id, change)",
            // A search's artists; those with a job wait for it.
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
                PRIMARY KEY (search_id, rank)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX concert_search_waiters ON concert_search_subjects (job_id) WHERE job_id IS NOT NULL",
        ])
}
