import Model
import Storage

/// The SQL of permits. `docs/permits.md` explains the rule.
extension PermitStore where Access == WriteTransaction {
    /// Stores a key with its limit, and inserts missing slots.
    ///
    /// The grants of a new slot are numbered starting at a random number, so that a late release of a slot that was
    /// pruned meanwhile (``prunePermitKeys(at:boot:now:limit:)``) matches no grant of its successor.
    package func registerPermitKey(
        _ key: String, provider: String, requests: Int, window: Duration, boot: String
    ) throws {
        try transaction.run(
            """
            INSERT INTO permit_keys (key, provider, requests, window_length)
            VALUES (\(key), \(provider), \(requests), \(window.microseconds))
            ON CONFLICT (key) DO UPDATE SET requests = excluded.requests, window_length = excluded.window_length
            """)
        for slot in 0..<requests {
            try transaction.run(
                """
                INSERT INTO permit_slots (key, slot, boot, busy_until_instant, grant_number)
                VALUES (\(key), \(slot), \(boot), 0, \(Int64.random(in: 0..<(1 << 62))))
                ON CONFLICT (key, slot) DO NOTHING
                """)
        }
    }

    package func knowsPermitKey(_ key: String) throws -> Bool {
        try transaction.row("SELECT 1 AS found FROM permit_keys WHERE key = \(key)") != nil
    }

    /// Marks slots of an earlier boot, whose times are meaningless now, as busy until `busyUntil`.
    package func adoptPermitSlots(of key: String, boot: String, busyUntil: MonotonicInstant) throws {
        try transaction.run(
            """
            UPDATE permit_slots SET boot = \(boot), busy_until_instant = \(busyUntil), holder = NULL,
                grant_number = grant_number + 1
            WHERE key = \(key) AND boot <> \(boot)
            """)
    }

    /// The first `requests` slots of `key`.
    package func permitSlots(of key: String, requests: Int) throws -> [PermitSlotRecord] {
        try transaction.rows(
            """
            SELECT slot, busy_until_instant, grant_number, holder FROM permit_slots
            WHERE key = \(key) AND slot < \(requests) ORDER BY slot
            """
        ).map { row in
            PermitSlotRecord(
                slot: try row["slot"], busyUntil: try row["busy_until_instant"],
                grantNumber: try row["grant_number"], holder: try row["holder"])
        }
    }

    /// Marks a slot as busy.
    ///
    /// - Returns: the grant number that the release must have.
    package func grantPermit(
        _ key: String, slot: Int, holder: String, busyUntil: MonotonicInstant
    ) throws -> Int64 {
        try transaction.row(
            """
            UPDATE permit_slots
            SET busy_until_instant = \(busyUntil), holder = \(holder), grant_number = grant_number + 1
            WHERE key = \(key) AND slot = \(slot) RETURNING grant_number
            """)?["grant_number"] ?? 0
    }

    /// Lets a slot become free after `freeAt`, unless it has been granted again since.
    package func releasePermit(
        _ key: String, slot: Int, grantNumber: Int64, freeAt: MonotonicInstant
    ) throws {
        try transaction.run(
            """
            UPDATE permit_slots SET busy_until_instant = \(freeAt), holder = NULL
            WHERE key = \(key) AND slot = \(slot) AND grant_number = \(grantNumber)
            """)
    }

    // MARK: Pauses

    /// The pause in force, and how long it still lasts; `nil` if there is none.
    package func permitPause(
        of key: String, boot: String, now: MonotonicInstant, wallNow: Timestamp
    ) throws -> (pause: PermitPause, remaining: Duration)? {
        try transaction.row(
            """
            SELECT paused_until, paused_until_instant, paused_boot, pause_reason FROM permit_keys
            WHERE key = \(key) AND paused_until IS NOT NULL
            """
        ).flatMap { try Self.pause(in: $0, boot: boot, now: now, wallNow: wallNow) }
    }

    static func pause(
        in row: Row, boot: String, now: MonotonicInstant, wallNow: Timestamp
    ) throws -> (pause: PermitPause, remaining: Duration)? {
        guard let until = try row["paused_until"] as Timestamp? else { return nil }
        // Within one boot, setting the wall clock must not change a pause. After a restart only the wall clock is left.
        let sameBoot = try row["paused_boot"] as String? == boot
        let instant = try row["paused_until_instant"] as MonotonicInstant?
        let remaining = sameBoot && instant != nil ? now.duration(to: instant ?? now) : wallNow.duration(to: until)
        guard remaining > .zero else { return nil }
        return (PermitPause(until: until, reason: try row["pause_reason"]), remaining)
    }

    /// Pauses a key.
    package func setPermitPause(of key: String, to pause: PermitPause, until: MonotonicInstant, boot: String) throws {
        try transaction.run(
            """
            UPDATE permit_keys SET paused_until = \(pause.until), paused_until_instant = \(until),
                paused_boot = \(boot), pause_reason = \(pause.reason)
            WHERE key = \(key)
            """)
    }

    /// When the provider's quota resets, as an earlier answer announced.
    package func permitQuotaReset(of key: String) throws -> Timestamp? {
        try transaction.row("SELECT quota_resets_at FROM permit_keys WHERE key = \(key)")?["quota_resets_at"] ?? nil
    }

    package func setPermitQuotaReset(of key: String, to time: Timestamp) throws {
        try transaction.run("UPDATE permit_keys SET quota_resets_at = \(time) WHERE key = \(key)")
    }
}
