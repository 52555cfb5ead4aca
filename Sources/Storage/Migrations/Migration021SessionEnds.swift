extension Migration {
    /// The ends of sessions and tokens, and the ID tokens that were accepted.
    static let sessionEnds = Migration(
        number: 21, name: "session ends",
        statements: [
            // The token with which a token was made and with which it ends. NULL for earlier tokens.
            "ALTER TABLE tokens ADD COLUMN made_with TEXT REFERENCES tokens (hash) ON DELETE CASCADE",
            "CREATE INDEX tokens_made_with ON tokens (made_with) WHERE made_with IS NOT NULL",
            // The absolute end: 90 days after the beginning, or the end of the token with which it was begun.
            "ALTER TABLE sessions ADD COLUMN ends_at BIGINT NOT NULL DEFAULT 0",
            "UPDATE sessions SET ends_at = created_at + 7776000000000",
            """
            UPDATE sessions SET ends_at = (SELECT expires_at FROM tokens WHERE tokens.hash = sessions.token_hash)
            WHERE EXISTS (
                SELECT 1 FROM tokens WHERE tokens.hash = sessions.token_hash AND tokens.expires_at < sessions.ends_at)
            """,
            "UPDATE sessions SET expires_at = ends_at WHERE expires_at > ends_at",
            // The hash of the signed part of an ID token.
            """
            CREATE TABLE used_id_tokens (
                hash TEXT NOT NULL PRIMARY KEY,
                expires_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX used_id_tokens_by_end ON used_id_tokens (expires_at)",
        ])
}
