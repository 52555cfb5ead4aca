extension Migration {
    /// Song lists that are made for people (docs/curation.md).
    static let curation = Migration(
        number: 39, name: "curation",
        statements: [
            // `kind` is playlist, recommendations, growth or blend; `state` is queued, asking, resolving, checking,
            // complete or failed. `calls` counts the answers of a model, `answer` is what can be used of them, `found`
            // what was looked up so far, and `sent` what was sent to the model; all four are JSON or NULL. `fallback`
            // says why it was made without a model. `is_scheduled` says that it was made by a schedule instead of on
            // request. Lists of a person with the same `cache_key` come from equal requests for the same library.
            """
            CREATE TABLE curated_lists (
                user_id TEXT NOT NULL,
                id TEXT NOT NULL,
                kind TEXT NOT NULL,
                request TEXT NOT NULL,
                state TEXT NOT NULL,
                is_scheduled BIGINT NOT NULL,
                title TEXT NOT NULL,
                model TEXT,
                total_tokens BIGINT NOT NULL,
                calls BIGINT NOT NULL,
                answer TEXT,
                found TEXT,
                sent TEXT,
                fallback TEXT,
                dropped TEXT,
                cache_key TEXT,
                job_id TEXT,
                error_code TEXT,
                error_message TEXT,
                created_at BIGINT NOT NULL,
                finished_at BIGINT,
                change BIGINT NOT NULL,
                PRIMARY KEY (user_id, id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX curated_lists_by_change ON curated_lists (user_id, change)",
            """
            CREATE INDEX curated_lists_by_cache_key ON curated_lists (user_id, cache_key) WHERE cache_key IS NOT NULL
            """,
            "CREATE INDEX curated_lists_by_end ON curated_lists (finished_at) WHERE finished_at IS NOT NULL",
            // `track` is JSON.
            """
            CREATE TABLE curated_tracks (
                user_id TEXT NOT NULL,
                list_id TEXT NOT NULL,
                position BIGINT NOT NULL,
                track TEXT NOT NULL,
                PRIMARY KEY (user_id, list_id, position)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Who makes blends with whom: two rows for two people, one from the view of each. `state` is asking, asked,
            // accepted or blocked.
            """
            CREATE TABLE blend_partners (
                user_id TEXT NOT NULL,
                partner_id TEXT NOT NULL,
                state TEXT NOT NULL,
                since_at BIGINT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (user_id, partner_id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX blend_partners_by_change ON blend_partners (user_id, change)",
            // For erasing people.
            "CREATE INDEX blend_partners_of_partner ON blend_partners (partner_id)",
            // The model that a person has chosen: gemini, the name of one that the administrator configured, or none.
            """
            CREATE TABLE curation_settings (
                user_id TEXT NOT NULL PRIMARY KEY,
                model TEXT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Songs that a person does not want in lists, as edits name them.
            """
            CREATE TABLE curation_dismissals (
                user_id TEXT NOT NULL,
                reference TEXT NOT NULL,
                dismissed_at BIGINT NOT NULL,
                PRIMARY KEY (user_id, reference)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // The tokens that models used for a person. `month` has the form 2026-11 (UTC).
            """
            CREATE TABLE curation_usage (
                user_id TEXT NOT NULL,
                month TEXT NOT NULL,
                tokens BIGINT NOT NULL,
                PRIMARY KEY (user_id, month)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
        ])
}
