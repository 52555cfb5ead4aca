extension Migration {
    /// Model calls that are counted before they are made, and the people whom lists name.
    static let modelCalls = Migration(
        number: 48, name: "model calls",
        statements: [
            // From now on `calls` counts the calls that were begun. These columns have, for the call that has no answer
            // yet, the estimate of its tokens and the month in `curation_usage` in which they are counted; both are
            // NULL if there is no such call.
            "ALTER TABLE curated_lists ADD COLUMN pending_tokens BIGINT",
            "ALTER TABLE curated_lists ADD COLUMN pending_month TEXT",
            // The other person of a blend, whose name is in its texts; NULL for other lists, and once that person was
            // erased. The member `with` of the request has the name.
            "ALTER TABLE curated_lists ADD COLUMN partner_id TEXT",
            """
            UPDATE curated_lists SET partner_id = (
                SELECT users.id FROM users WHERE users.name = \(Dialect.member("with", of: "curated_lists.request")))
            WHERE kind = 'blend'
            """,
            """
            CREATE INDEX curated_lists_by_partner ON curated_lists (partner_id, user_id, id) WHERE partner_id IS NOT NULL
            """,
            // How many people a person has asked for blends, or has blocked, on the last day (UTC, such as 2026-11-28)
            // on which they did so.
            """
            CREATE TABLE blend_requests (
                user_id TEXT NOT NULL PRIMARY KEY,
                day TEXT NOT NULL,
                requests BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
        ])
}
