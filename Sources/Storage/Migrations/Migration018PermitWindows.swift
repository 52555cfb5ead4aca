extension Migration {
    /// Several limits per key by requests and weights, and the order of people. `docs/permits.md` has the rules.
    /// Columns ending in `_instant` are in microseconds of CLOCK_BOOTTIME of the row's `boot`.
    static let permitWindows = Migration(
        number: 18, name: "permit windows",
        statements: [
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
            // Waiting calls by process and person. It replaces permit_demand, which did not distinguish people and is
            // no longer used. `person` is a pseudonym, `urgency` is 1 for interactive calls, `weight` is that of the
            // first call.
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
            // The moment from which the next background call may begin.
            "ALTER TABLE permit_keys ADD COLUMN background_from_instant BIGINT",
            "ALTER TABLE permit_keys ADD COLUMN background_boot TEXT",
        ])
}
