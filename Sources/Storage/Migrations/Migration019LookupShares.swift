extension Migration {
    /// The order of people who wait for lookups, their shares of the installation's calls, and the age of subjects.
    static let lookupShares = Migration(
        number: 19, name: "lookup shares",
        statements: [
            // The number of the change with which a search began to wait for the lookup. It orders the waiting
            // searches; earlier ones come first.
            "ALTER TABLE concert_search_subjects ADD COLUMN waits_since BIGINT NOT NULL DEFAULT 0",
            "DROP INDEX concert_search_waiters",
            """
            CREATE INDEX concert_search_waiters ON concert_search_subjects (job_id, waits_since, search_id)
            WHERE job_id IS NOT NULL
            """,
            // The number of a person's calls with the installation's own key for a provider on one day. Days are
            // counted from 1970-01-01 UTC.
            """
            CREATE TABLE call_shares (
                user_id TEXT NOT NULL,
                provider TEXT NOT NULL,
                day BIGINT NOT NULL,
                used BIGINT NOT NULL,
                PRIMARY KEY (user_id, provider, day)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX call_shares_by_day ON call_shares (day, provider, used)",
            // When a search last asked for the subject, accurate to an hour. For earlier rows, the time of the newest
            // search.
            "ALTER TABLE concert_subjects ADD COLUMN asked_at BIGINT NOT NULL DEFAULT 0",
            """
            UPDATE concert_subjects
            SET asked_at = COALESCE((SELECT MAX(created_at) FROM concert_searches), checked_at, 0)
            """,
            // Subjects without an attraction, such as unknown names, are deleted sooner than artists.
            "CREATE INDEX concert_names_by_ask ON concert_subjects (asked_at) WHERE attraction_id IS NULL",
            "CREATE INDEX concert_artists_by_ask ON concert_subjects (asked_at) WHERE attraction_id IS NOT NULL",
            "CREATE INDEX concert_cities_by_check ON concert_cities (checked_at)",
        ])
}
