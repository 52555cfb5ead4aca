extension Migration {
    /// Administrators, distinguishable tokens, and signing in with a browser.
    static let sessions = Migration(
        number: 5, name: "sessions",
        statements: [
            "ALTER TABLE users ADD COLUMN is_admin BIGINT NOT NULL DEFAULT 0",
            // Created again, since a column without a default cannot be added to a table with rows. Until now each user
            // had only the token with which they were created.
            "ALTER TABLE tokens RENAME TO unnamed_tokens",
            """
            CREATE TABLE tokens (
                hash TEXT NOT NULL PRIMARY KEY,
                id TEXT NOT NULL,
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                name TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                last_used_at BIGINT
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            """
            INSERT INTO tokens (hash, id, user_id, name, created_at)
            SELECT hash, \(Dialect.uuidV7), user_id, 'first', created_at FROM unnamed_tokens
            """,
            "DROP TABLE unnamed_tokens",
            "CREATE UNIQUE INDEX tokens_by_id ON tokens (id)",
            "CREATE UNIQUE INDEX tokens_of_user ON tokens (user_id, name)",
            // The token with which the session began; the session ends with it.
            """
            CREATE TABLE sessions (
                hash TEXT NOT NULL PRIMARY KEY,
                id TEXT NOT NULL,
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                token_hash TEXT REFERENCES tokens (hash) ON DELETE CASCADE,
                created_at BIGINT NOT NULL,
                last_used_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX sessions_of_user ON sessions (user_id)",
            "CREATE INDEX sessions_of_token ON sessions (token_hash) WHERE token_hash IS NOT NULL",
            "CREATE INDEX sessions_by_end ON sessions (expires_at)",
            // Deleted when it is used.
            """
            CREATE TABLE sign_in_links (
                hash TEXT NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX sign_in_links_of_user ON sign_in_links (user_id)",
        ])
}
