import Storage

extension Migration {
    /// People, their tokens and sessions, and their erasure.
    static let accountsBaseline = Migration(
        domain: "accounts", number: 1, name: "baseline",
        statements: [
            // `name_key` is the folded name, which must be unique. `google_subject` is Google's `sub`: it identifies a
            // person who signs in with Google; the address does not. `time_zone` is a name of the IANA database; NULL
            // for UTC. `updated_at` is NULL until the profile changes.
            """
            CREATE TABLE users (
                id TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL,
                name_key TEXT NOT NULL DEFAULT '',
                google_subject TEXT,
                email TEXT,
                display_name TEXT,
                bio TEXT,
                picture_url TEXT,
                home_city TEXT,
                time_zone TEXT,
                profile_visibility TEXT NOT NULL DEFAULT 'public',
                show_listening_stats BIGINT NOT NULL DEFAULT 1,
                is_admin BIGINT NOT NULL DEFAULT 0,
                push_token TEXT,
                created_at BIGINT NOT NULL,
                updated_at BIGINT
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE UNIQUE INDEX users_by_name ON users (name)",
            "CREATE UNIQUE INDEX users_by_name_key ON users (name_key)",
            "CREATE UNIQUE INDEX users_by_google_subject ON users (google_subject) WHERE google_subject IS NOT NULL",
            // `hash` is the SHA-256 of a token in hexadecimal; the token itself is shown once and not stored. `scope`
            // is what it grants: `listening` for the ListenBrainz API only, NULL for everything. `made_with` is the
            // token with which it was made and with which it ends; NULL if it was made without one.
            """
            CREATE TABLE tokens (
                hash TEXT NOT NULL PRIMARY KEY,
                id TEXT NOT NULL,
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                name TEXT NOT NULL,
                scope TEXT,
                made_with TEXT REFERENCES tokens (hash) ON DELETE CASCADE,
                created_at BIGINT NOT NULL,
                last_used_at BIGINT,
                expires_at BIGINT
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE UNIQUE INDEX tokens_by_id ON tokens (id)",
            "CREATE UNIQUE INDEX tokens_of_user ON tokens (user_id, name)",
            "CREATE INDEX tokens_made_with ON tokens (made_with) WHERE made_with IS NOT NULL",
            // `token_hash` is the token with which the session began; the session ends with it. `user_agent` is the
            // browser's name for itself, by which a person tells their sessions apart. `expires_at` moves with use, up
            // to `ends_at`: 90 days after the beginning, or the end of the token.
            """
            CREATE TABLE sessions (
                hash TEXT NOT NULL PRIMARY KEY,
                id TEXT NOT NULL,
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                token_hash TEXT REFERENCES tokens (hash) ON DELETE CASCADE,
                user_agent TEXT,
                created_at BIGINT NOT NULL,
                last_used_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL,
                ends_at BIGINT NOT NULL DEFAULT 0
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
            // The ID tokens that were accepted, by the hash of their signed part.
            """
            CREATE TABLE used_id_tokens (
                hash TEXT NOT NULL PRIMARY KEY,
                expires_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX used_id_tokens_by_end ON used_id_tokens (expires_at)",
            // The people whose erasure has begun: their row in `users` is deleted, and other rows may be left.
            """
            CREATE TABLE erasures (
                user_id TEXT NOT NULL PRIMARY KEY,
                began_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
        ])
}
