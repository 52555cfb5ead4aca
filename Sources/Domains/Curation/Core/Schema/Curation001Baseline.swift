import Storage

extension Migration {
    /// Song lists that are made for people (docs/curation.md).
    static let curationBaseline = Migration(
        domain: "curation", number: 1, name: "baseline",
        statements: [
            // `kind` is playlist, recommendations, growth or blend; `state` is queued, asking, resolving, checking,
            // complete or failed. `answer` is what can be used of a model's answers, `found` what was looked up so far,
            // and `sent` what was sent to the model; all three are JSON or NULL. `fallback` says why it was made
            // without a model. `is_scheduled` says that it was made by a schedule instead of on request. Lists of a
            // person with the same `cache_key` come from equal requests for the same library. `removed_songs` counts
            // the songs that the person has removed from the list since it was made.
            //
            // `partner_id` is the other person of a blend, whose name is in its texts; NULL for other lists, and once
            // that person was erased. The member `with` of the request has the name.
            //
            // `calls` counts the calls of a model that were begun. `pending_tokens` and `pending_month` have, for the
            // call that has no answer yet, the estimate of its tokens and the month in `curation_usage` in which they
            // are counted; both are NULL if there is no such call. `input_tokens` and `output_tokens` add up to
            // `total_tokens`; NULL if a provider has not reported them separately. `cost_amount` and `cost_currency`
            // are what the calls cost at the prices of their time: a decimal number and an ISO 4217 code; NULL if
            // unknown.
            """
            CREATE TABLE curated_lists (
                user_id TEXT NOT NULL,
                id TEXT NOT NULL,
                kind TEXT NOT NULL,
                request TEXT NOT NULL,
                partner_id TEXT,
                state TEXT NOT NULL,
                is_scheduled BIGINT NOT NULL,
                title TEXT NOT NULL,
                model TEXT,
                calls BIGINT NOT NULL,
                pending_tokens BIGINT,
                pending_month TEXT,
                input_tokens BIGINT,
                output_tokens BIGINT,
                total_tokens BIGINT NOT NULL,
                cost_amount TEXT,
                cost_currency TEXT,
                answer TEXT,
                found TEXT,
                sent TEXT,
                fallback TEXT,
                dropped TEXT,
                removed_songs BIGINT NOT NULL DEFAULT 0,
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
            """
            CREATE INDEX curated_lists_by_partner ON curated_lists (partner_id, user_id, id) WHERE partner_id IS NOT NULL
            """,
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
            // How many people a person has asked for blends, or has blocked, on the last day (UTC, such as 2026-11-28)
            // on which they did so.
            """
            CREATE TABLE blend_requests (
                user_id TEXT NOT NULL PRIMARY KEY,
                day TEXT NOT NULL,
                requests BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // The model that a person has chosen: gemini, the name of one that the administrator configured, or none.
            """
            CREATE TABLE curation_settings (
                user_id TEXT NOT NULL PRIMARY KEY,
                model TEXT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Songs that a person does not want in lists, as edits name them. The other columns have the song as the
            // library or the list had it, so that it is also recognized by other ids. `title` and `artist` are NULL if
            // neither had it.
            """
            CREATE TABLE curation_dismissals (
                user_id TEXT NOT NULL,
                reference TEXT NOT NULL,
                title TEXT,
                artist TEXT,
                album TEXT,
                duration_ms BIGINT,
                isrc TEXT,
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
