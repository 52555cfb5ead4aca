import Storage

extension Migration {
    /// What iTunes answered about previews of songs, for everybody.
    static let previewsBaseline = Migration(
        domain: "previews", number: 1, name: "baseline",
        statements: [
            """
            CREATE TABLE previews (
                question TEXT NOT NULL,
                url TEXT,
                found_at BIGINT NOT NULL,
                PRIMARY KEY (question)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // For pruning, which deletes the oldest first.
            "CREATE INDEX previews_by_age ON previews (found_at)",
        ])
}
