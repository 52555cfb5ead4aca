extension Migration {
    /// The tables that `docs/permits.md` describes. Columns ending in `_instant` are in microseconds of CLOCK_BOOTTIME
    /// and are only meaningful while `boot` names the current boot.
    static let permits = Migration(
        number: 3, name: "permits",
        statements: [
            // One row for each provider and credential; `key` holds a fingerprint, never the credential.
            """
            CREATE TABLE permit_keys (
                key TEXT NOT NULL PRIMARY KEY,
                provider TEXT NOT NULL,
                requests BIGINT NOT NULL,
                window_length BIGINT NOT NULL,
                paused_until BIGINT,
                paused_until_instant BIGINT,
                paused_boot TEXT,
                pause_reason TEXT,
                quota_resets_at BIGINT
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // grant_number increases with every grant and is never reset: it fences a late release.
            """
            CREATE TABLE permit_slots (
                key TEXT NOT NULL,
                slot BIGINT NOT NULL,
                boot TEXT NOT NULL,
                busy_until_instant BIGINT NOT NULL,
                grant_number BIGINT NOT NULL,
                holder TEXT,
                PRIMARY KEY (key, slot)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Waiting interactive calls, by process: background calls leave that many slots to them.
            """
            CREATE TABLE permit_demand (
                key TEXT NOT NULL,
                process TEXT NOT NULL,
                waiting BIGINT NOT NULL,
                boot TEXT NOT NULL,
                live_until_instant BIGINT NOT NULL,
                PRIMARY KEY (key, process)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
        ])
}
