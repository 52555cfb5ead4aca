import Storage

extension Migration {
    /// Usernames that follow a rule and are held, the words that people are found by, invitations and suspensions. Who
    /// may see a profile moves to `people`, which the domain `visibility` makes before.
    static let accountsNames = Migration(
        domain: "accounts", number: 2, name: "names",
        statements: [
            """
            INSERT INTO people (key, user_id, visibility, shows_stats)
            SELECT (SELECT value FROM person_keys) + ROW_NUMBER() OVER (ORDER BY created_at, id), id,
                CASE profile_visibility WHEN 'public' THEN 2 WHEN 'followers' THEN 1 ELSE 0 END,
                show_listening_stats
            FROM users
            """,
            "UPDATE person_keys SET value = COALESCE((SELECT MAX(key) FROM people), 0)",
            "ALTER TABLE users DROP COLUMN profile_visibility",
            "ALTER TABLE users DROP COLUMN show_listening_stats",
            "ALTER TABLE users DROP COLUMN push_token",
            // `name_state` is 0 for a name from before the rule, which the gateway has not looked at yet, 1 for a
            // chosen one, and 2 for one that was made in place of a name that did not follow the rule.
            "ALTER TABLE users ADD COLUMN name_state BIGINT NOT NULL DEFAULT 0",
            "CREATE INDEX users_by_old_name ON users (created_at, id) WHERE name_state = 0",
            // When the person last changed their name; NULL before the first change.
            "ALTER TABLE users ADD COLUMN name_changed_at BIGINT",
            // The name from before the rule, by which programs that send listens may still know the person.
            "ALTER TABLE users ADD COLUMN listening_name TEXT",
            // Whether the cards of the first sign-in are yet to be shown.
            "ALTER TABLE users ADD COLUMN shows_onboarding BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE users ADD COLUMN suspended_at BIGINT",
            // The last use of any token or session, to the minute. It outlives the sessions.
            "ALTER TABLE users ADD COLUMN last_seen_at BIGINT",
            """
            UPDATE users SET last_seen_at = (
                SELECT MAX(used_at) FROM (
                    SELECT MAX(last_used_at) AS used_at FROM tokens WHERE tokens.user_id = users.id
                    UNION ALL
                    SELECT MAX(last_used_at) AS used_at FROM sessions WHERE sessions.user_id = users.id
                ) AS uses)
            """,
            // The names that people gave up, which nobody else gets until `held_until`. `leads_on` is 1 if the person
            // wants the old name to lead to their profile.
            """
            CREATE TABLE former_names (
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                name_key TEXT NOT NULL,
                name TEXT NOT NULL,
                ended_at BIGINT NOT NULL,
                held_until BIGINT NOT NULL,
                leads_on BIGINT NOT NULL DEFAULT 0,
                PRIMARY KEY (user_id, name_key)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX former_names_by_key ON former_names (name_key)",
            "CREATE INDEX former_names_by_end ON former_names (held_until)",
            // The names of people who were erased, by a keyed hash. The key is not in the database.
            """
            CREATE TABLE held_names (
                hash TEXT NOT NULL PRIMARY KEY,
                held_until BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX held_names_by_end ON held_names (held_until)",
            // The folded words of people's usernames and display names.
            """
            CREATE TABLE account_words (
                word TEXT NOT NULL,
                name_key TEXT NOT NULL,
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                PRIMARY KEY (word, name_key)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX account_words_of_user ON account_words (user_id, word)",
            // Unused invitations. `hash` is the SHA-256 of an invitation's code; `user_id` is who invites, NULL for the
            // command line.
            """
            CREATE TABLE invitations (
                hash TEXT NOT NULL PRIMARY KEY,
                id TEXT NOT NULL,
                user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
                created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE UNIQUE INDEX invitations_by_id ON invitations (id)",
            "CREATE INDEX invitations_of_user ON invitations (user_id)",
            "CREATE INDEX invitations_by_end ON invitations (expires_at)",
        ])
}
