extension Migration {
    /// Answers from services' catalogs, and the identity of ranked artists at Spotify.
    static let catalog = Migration(
        number: 28, name: "catalog",
        statements: [
            // What services answered about their catalogs, for everybody. An answer is JSON, and is served until
            // `expires_at`.
            """
            CREATE TABLE catalog_answers (
                answer_key TEXT NOT NULL PRIMARY KEY,
                answer TEXT NOT NULL,
                fetched_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX catalog_answers_by_end ON catalog_answers (expires_at)",
            // What services answered to one person only. `account` identifies the consent that was used: another
            // account of the person has another one.
            """
            CREATE TABLE catalog_personal_answers (
                user_id TEXT NOT NULL,
                answer_key TEXT NOT NULL,
                account TEXT NOT NULL,
                answer TEXT NOT NULL,
                fetched_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL,
                PRIMARY KEY (user_id, answer_key)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX catalog_personal_answers_by_end ON catalog_personal_answers (expires_at)",
            // Spotify's id, its picture (a line for each size, with the width if it is known), and its genres, one a
            // line; NULL for an artist about whom only the name is known.
            "ALTER TABLE ranked_artists ADD COLUMN spotify_id TEXT",
            "ALTER TABLE ranked_artists ADD COLUMN picture TEXT",
            "ALTER TABLE ranked_artists ADD COLUMN genres TEXT",
            // People who have saved their list at least once, even if it is empty now.
            """
            CREATE TABLE artist_lists (
                user_id TEXT NOT NULL PRIMARY KEY,
                saved_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // It is not known when an earlier release saved a list.
            "INSERT INTO artist_lists (user_id, saved_at) SELECT DISTINCT user_id, 0 FROM ranked_artists",
        ])
}
