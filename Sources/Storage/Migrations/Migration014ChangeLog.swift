extension Migration {
    /// The users whose rows changed last: one query finds, for all event streams, the users whom a lost message
    /// concerned.
    static let changeLog = Migration(
        number: 14, name: "change log",
        statements: [
            """
            CREATE TABLE change_log (
                user_id TEXT NOT NULL,
                topic TEXT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (user_id, topic)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX change_log_by_change ON change_log (change)",
            // The last change of the counted jobs; their changes are in no other log.
            "ALTER TABLE job_counts ADD COLUMN change BIGINT NOT NULL DEFAULT 0",
        ])
}
