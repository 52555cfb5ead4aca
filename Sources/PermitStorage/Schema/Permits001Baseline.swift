import Storage

extension Migration {
    /// The tables that `docs/permits.md` describes: several limits per key by requests and weights, and the order of
    /// people. Columns ending in `_instant` are in microseconds of CLOCK_BOOTTIME and are only meaningful while the
    /// row's `boot` names the current boot.
    package static let permitsBaseline = Migration(
        domain: "permits", number: 1, name: "baseline",
        statements: [
            // One row for each provider and credential; `key` holds a fingerprint, never the credential. The next
            // background call may begin from `background_from_instant` on.
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
                quota_resets_at BIGINT,
                background_from_instant BIGINT,
                background_boot TEXT
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
            // The limits of a key besides its slots.
            """
            CREATE TABLE permit_quotas (
                key TEXT NOT NULL,
                name TEXT NOT NULL,
                unit TEXT NOT NULL,
                amount BIGINT NOT NULL,
                window_length BIGINT NOT NULL,
                PRIMARY KEY (key, name)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // A row for each grant and quota. `slot` and `grant_number` identify the grant and fence a late release.
            // `holder` is NULL after the response.
            """
            CREATE TABLE permit_grants (
                key TEXT NOT NULL,
                quota TEXT NOT NULL,
                slot BIGINT NOT NULL,
                grant_number BIGINT NOT NULL,
                boot TEXT NOT NULL,
                weight BIGINT NOT NULL,
                arrived_by_instant BIGINT NOT NULL,
                counts_until_instant BIGINT NOT NULL,
                holder TEXT,
                PRIMARY KEY (key, quota, slot, grant_number)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX permit_grants_counting ON permit_grants (key, quota, boot, counts_until_instant, weight)",
            // The last moment of each boot at which grants were counted, on both clocks. From it a later boot computes
            // how much time has passed. Once it has decided that, it is `joined_boot`, and the clock of the row's boot
            // is `clock_lead` microseconds ahead of its own.
            """
            CREATE TABLE permit_boots (
                boot TEXT NOT NULL PRIMARY KEY,
                seen_instant BIGINT NOT NULL,
                seen_at BIGINT NOT NULL,
                joined_boot TEXT,
                clock_lead BIGINT
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Waiting calls by process and person. `person` is a pseudonym, `urgency` is 1 for interactive calls,
            // `weight` is that of the first call.
            """
            CREATE TABLE permit_waiting (
                key TEXT NOT NULL,
                process TEXT NOT NULL,
                urgency BIGINT NOT NULL,
                person TEXT NOT NULL,
                calls BIGINT NOT NULL,
                weight BIGINT NOT NULL,
                boot TEXT NOT NULL,
                live_until_instant BIGINT NOT NULL,
                PRIMARY KEY (key, process, urgency, person)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // When each person was last served.
            """
            CREATE TABLE permit_turns (
                key TEXT NOT NULL,
                urgency BIGINT NOT NULL,
                person TEXT NOT NULL,
                boot TEXT NOT NULL,
                served_instant BIGINT NOT NULL,
                PRIMARY KEY (key, urgency, person)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // The number of a person's calls with the installation's own key for a provider on one day. Days are
            // counted from 1970-01-01 UTC.
            """
            CREATE TABLE call_shares (
                user_id TEXT NOT NULL,
                provider TEXT NOT NULL,
                day BIGINT NOT NULL,
                used BIGINT NOT NULL,
                PRIMARY KEY (user_id, provider, day)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX call_shares_by_day ON call_shares (day, provider, used)",
        ])
}
