extension Migration {
    /// Columns and tables for listening stats.
    static let listeningStats = Migration(
        number: 36, name: "listening stats",
        statements: [
            // The person's time zone, by its name in the IANA database; NULL for UTC.
            "ALTER TABLE users ADD COLUMN time_zone TEXT",
            // The months (of UTC, from year 0) that have listens, with the number of their last change, so that readers
            // that cache months in memory only read the changed ones.
            """
            CREATE TABLE listen_months (
                history_id BIGINT NOT NULL,
                month BIGINT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (history_id, month)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
        ])
}
