import Storage

extension Migration {
    /// Answers from services' catalogs. An answer is JSON, and is served until `expires_at`.
    static let catalogBaseline = Migration(
        domain: "catalog", number: 1, name: "baseline",
        statements: [
            // What services answered for everybody.
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
        ])
}
