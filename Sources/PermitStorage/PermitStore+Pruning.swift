import Model
import Platform
import Storage

extension PermitStore where Access == WriteTransaction {
    /// How long an unused key is kept.
    package static var permitKeyIdleTime: Duration { .seconds(600) }

    /// Deletes keys whose slots have all been free for ``permitKeyIdleTime``, with what belongs to them. A key remains
    /// while it is paused, while any of its grants counts, and until the quota reset that its provider announced.
    ///
    /// A free slot holds no more information than a missing one: a process that uses the key again recreates its rows
    /// (`docs/permits.md`).
    ///
    /// - Parameters:
    ///   - wall: the time that ends pauses and resets of an earlier boot.
    ///   - limit: the most keys to delete, so that the transaction stays short.
    /// - Returns: how many keys were deleted.
    @discardableResult
    package func prunePermitKeys(
        at wall: PruningTime, boot: String = BootID.current, now: MonotonicInstant = .now(), limit: Int
    ) throws -> Int {
        let idleSince = MonotonicInstant(microseconds: now.microseconds - Self.permitKeyIdleTime.microseconds)
        // Slots of an earlier boot are known to be free only a window after the machine started.
        guard idleSince.microseconds > 0 else { return 0 }
        try prunePeople(boot: boot, idleSince: idleSince)
        try pruneEarlierBoots(besides: boot)
        let keys: [String] = try transaction.rows(
            """
            SELECT key FROM permit_keys k
            WHERE window_length < \(now)
                AND NOT EXISTS (SELECT 1 FROM permit_slots s
                    WHERE s.key = k.key AND s.boot = \(boot) AND s.busy_until_instant > \(idleSince))
                AND NOT EXISTS (SELECT 1 FROM permit_quotas q JOIN permit_grants g
                    ON g.key = q.key AND g.quota = q.name
                    WHERE q.key = k.key AND (g.boot <> \(boot) OR g.counts_until_instant >= \(now)))
                AND NOT EXISTS (SELECT 1 FROM permit_waiting w
                    WHERE w.key = k.key AND w.boot = \(boot) AND w.live_until_instant > \(now))
                AND (paused_until IS NULL
                    OR paused_boot = \(boot) AND paused_until_instant <= \(now)
                    OR paused_boot <> \(boot) AND paused_until <= \(wall.moment))
                AND (quota_resets_at IS NULL OR quota_resets_at <= \(wall.moment))
            ORDER BY key LIMIT \(limit)
            """
        ).map { try $0["key"] }
        for key in keys {
            try transaction.run("DELETE FROM permit_waiting WHERE key = \(key)")
            try transaction.run("DELETE FROM permit_turns WHERE key = \(key)")
            try transaction.run("DELETE FROM permit_grants WHERE key = \(key)")
            try transaction.run("DELETE FROM permit_quotas WHERE key = \(key)")
            try transaction.run("DELETE FROM permit_slots WHERE key = \(key)")
            try transaction.run("DELETE FROM permit_keys WHERE key = \(key)")
        }
        return keys.count
    }

    /// Deletes grants that no longer count, of all keys. A key with a daily limit can leave thousands of them.
    ///
    /// - Parameters:
    ///   - wall: proof that the wall clock may be used for pruning.
    ///   - wallNow: what the wall clock shows at `now`, for grants of earlier boots (``PermitClock``).
    ///   - limit: the most grants to delete, so that the transaction stays short.
    /// - Returns: how many grants were deleted.
    @discardableResult
    package func prunePermitGrants(
        at wall: PruningTime, boot: String = BootID.current, now: MonotonicInstant = .now(),
        wallNow: Timestamp = .now(), limit: Int
    ) throws -> Int {
        let clock = try permitClock(boot: boot, now: now, wallNow: wallNow)
        if !clock.earlier.isEmpty { try recordPermitClock(clock, wallNow: wallNow) }
        return try counting(at: clock).reduce(0) { deleted, part in
            deleted
                + (try transaction.execute(
                    """
                    DELETE FROM permit_grants WHERE (key, quota, slot, grant_number) IN (
                        SELECT g.key, g.quota, g.slot, g.grant_number FROM permit_quotas q JOIN permit_grants g
                            ON g.key = q.key AND g.quota = q.name
                        WHERE g.boot = \(part.boot) AND g.counts_until_instant < \(part.present)
                        LIMIT \(limit - deleted))
                    """))
        }
    }

    /// Deletes old pseudonyms of people who waited or were served. There are few.
    private func prunePeople(boot: String, idleSince: MonotonicInstant) throws {
        try transaction.run(
            "DELETE FROM permit_waiting WHERE boot <> \(boot) OR live_until_instant < \(idleSince)")
        try transaction.run("DELETE FROM permit_turns WHERE boot <> \(boot) OR served_instant < \(idleSince)")
    }

    /// Deletes earlier boots without grants (``prunePermitGrants(at:boot:now:wallNow:limit:)``).
    private func pruneEarlierBoots(besides boot: String) throws {
        try transaction.run(
            """
            DELETE FROM permit_boots WHERE boot <> \(boot)
                AND NOT EXISTS (SELECT 1 FROM permit_quotas q JOIN permit_grants g
                    ON g.key = q.key AND g.quota = q.name WHERE g.boot = permit_boots.boot)
            """)
    }
}
