extension Migration {
    /// The people whose erasure has begun: their row in `users` is deleted, and other rows may be left.
    static let erasures = Migration(
        number: 15, name: "erasures",
        statements: [
            """
            CREATE TABLE erasures (
                user_id TEXT NOT NULL PRIMARY KEY,
                began_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // For erasing and exporting a person's searches in parts, in the order of their ids.
            "CREATE UNIQUE INDEX concert_searches_of_user ON concert_searches (user_id, id)",
        ])
}
