extension Migration {
    /// What the storage engine records about the database itself and about the changes in it, for all domains.
    package static let storageBaseline = Migration(
        domain: "storage", number: 1, name: "baseline",
        statements: [
            // Orders everything that event streams report; one row, written once per transaction.
            "CREATE TABLE change_sequence (value BIGINT NOT NULL)",
            "INSERT INTO change_sequence (value) VALUES (0)",
            // The users whose rows changed last: one query finds, for all event streams, the users whom a lost message
            // concerned.
            """
            CREATE TABLE change_log (
                user_id TEXT NOT NULL,
                topic TEXT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (user_id, topic)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX change_log_by_change ON change_log (change)",
            // The cleaning that is due: one row. `log_due_since` is set when rows are deleted. `next_page` is NULL
            // unless an administrator has asked for the whole file to be cleaned, after another program wrote to it.
            """
            CREATE TABLE cleaning (
                id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
                log_due_since BIGINT,
                next_page BIGINT
            )
            """,
            "INSERT INTO cleaning (id, log_due_since, next_page) VALUES (1, NULL, NULL)",
            // The newest moment of a trusted clock, by which a starting gateway recognizes a wall clock that is far
            // ahead. One row; none in a new database, since the clock of its first start may be wrong.
            "CREATE TABLE newest_moment (moment BIGINT NOT NULL)",
            // A row for each restore from a backup, with its time by the wall clock. What was unfinished according to
            // the database may have been finished since the backup.
            "CREATE TABLE database_restores (restored_at BIGINT NOT NULL)",
        ])
}
