extension Migration {
    /// Whose erasure has begun: their row is gone and others may be left, also in pages that are not written anew yet.
    static let erasures = Migration(
        number: 15, name: "erasures",
        statements: [
            """
            CREATE TABLE erasures (
                user_id TEXT NOT NULL PRIMARY KEY,
                began_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Erasing and exporting go through a person's searches in the order of their ids, a part at a time.
            "CREATE UNIQUE INDEX concert_searches_of_user ON concert_searches (user_id, id)",
        ])
}
