extension Migration {
    /// Profiles, Google sign-in, and tokens that end.
    static let people = Migration(
        number: 8, name: "people",
        statements: [
            // The folded name, which must be unique. If names differ only in case, the oldest user keeps the name.
            "ALTER TABLE users ADD COLUMN name_key TEXT NOT NULL DEFAULT ''",
            "UPDATE users SET name_key = lower(name)",
            """
            UPDATE users SET name_key = id
            WHERE EXISTS (SELECT 1 FROM users AS elder \
            WHERE lower(elder.name) = lower(users.name) AND elder.id < users.id)
            """,
            "CREATE UNIQUE INDEX users_by_name_key ON users (name_key)",
            // Google's `sub`: it identifies a person who signs in with Google; the address does not.
            "ALTER TABLE users ADD COLUMN google_subject TEXT",
            "CREATE UNIQUE INDEX users_by_google_subject ON users (google_subject) WHERE google_subject IS NOT NULL",
            "ALTER TABLE users ADD COLUMN email TEXT",
            "ALTER TABLE users ADD COLUMN display_name TEXT",
            "ALTER TABLE users ADD COLUMN bio TEXT",
            "ALTER TABLE users ADD COLUMN picture_url TEXT",
            "ALTER TABLE users ADD COLUMN home_city TEXT",
            "ALTER TABLE users ADD COLUMN profile_visibility TEXT NOT NULL DEFAULT 'public'",
            "ALTER TABLE users ADD COLUMN show_listening_stats BIGINT NOT NULL DEFAULT 1",
            "ALTER TABLE users ADD COLUMN push_token TEXT",
            "ALTER TABLE users ADD COLUMN updated_at BIGINT",
            "ALTER TABLE tokens ADD COLUMN expires_at BIGINT",
            // The browser's name for itself (User-Agent), by which a person tells their sessions apart.
            "ALTER TABLE sessions ADD COLUMN user_agent TEXT",
        ])
}
