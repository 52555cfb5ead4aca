import Storage

extension Migration {
    /// The notes that people write.
    static let notesTables = Migration(
        domain: "notes", number: 1, name: "tables",
        statements: [
            // `provider` is the service that the note is about, or NULL.
            """
            CREATE TABLE notes (
                user_id TEXT NOT NULL,
                id TEXT NOT NULL,
                words TEXT NOT NULL,
                provider TEXT,
                created_at BIGINT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (user_id, id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // For event streams, which read the rows that changed after a number.
            "CREATE INDEX notes_by_change ON notes (user_id, change)",
            // For the upkeep step, which deletes the oldest.
            "CREATE INDEX notes_by_age ON notes (created_at)",
        ])
}
