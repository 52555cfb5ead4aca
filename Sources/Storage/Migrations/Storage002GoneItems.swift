extension Migration {
    /// What people's programs have to remove, and whose items have changed for everybody who may see them.
    package static let storageGoneItems = Migration(
        domain: "storage", number: 2, name: "goneItems",
        statements: [
            // What a person can no longer see: deleted, or hidden from them. `item` is the id that the API showed.
            """
            CREATE TABLE gone_items (
                user_id TEXT NOT NULL,
                change BIGINT NOT NULL,
                kind TEXT NOT NULL,
                item TEXT NOT NULL,
                gone_at BIGINT NOT NULL,
                PRIMARY KEY (user_id, change, kind, item)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX gone_items_by_time ON gone_items (gone_at)",
            // The highest change of a row of `gone_items` that was pruned; one row. Who has read less than that misses
            // something.
            "CREATE TABLE pruned_gone_items (change BIGINT NOT NULL)",
            "INSERT INTO pruned_gone_items (change) VALUES (0)",
            // The authors whose items changed last, whoever may see them: one row, however many people that are.
            "CREATE TABLE author_log (author \(Dialect.integerKey) PRIMARY KEY, change BIGINT NOT NULL)",
            "CREATE INDEX author_log_by_change ON author_log (change)",
        ])
}
