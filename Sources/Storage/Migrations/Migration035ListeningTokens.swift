extension Migration {
    /// Tokens for programs that report listens, what such programs remember, and removals of sources.
    static let listeningTokens = Migration(
        number: 35, name: "listening tokens",
        statements: [
            // What a token grants: `listening` for the ListenBrainz API only, NULL for everything.
            "ALTER TABLE tokens ADD COLUMN scope TEXT",
            // Until when programs have imported listens from another service, in seconds since 1970.
            """
            CREATE TABLE listen_latest_imports (
                history_id BIGINT NOT NULL,
                service TEXT NOT NULL,
                latest BIGINT NOT NULL,
                PRIMARY KEY (history_id, service)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Sources whose observations are being removed: the ones with keys up to `until_id`.
            """
            CREATE TABLE listen_removals (
                history_id BIGINT NOT NULL,
                source BIGINT NOT NULL,
                until_id BIGINT NOT NULL,
                PRIMARY KEY (history_id, source)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
        ])
}
