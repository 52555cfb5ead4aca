extension Migration {
    static let accounts = Migration(
        number: 2, name: "accounts",
        statements: [
            """
            CREATE TABLE users (
                id TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL,
                created_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE UNIQUE INDEX users_by_name ON users (name)",
            // The SHA-256 of a token in hexadecimal; the token itself is shown once and not stored.
            """
            CREATE TABLE tokens (
                hash TEXT NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                created_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX tokens_of_user ON tokens (user_id)",
        ])
}
