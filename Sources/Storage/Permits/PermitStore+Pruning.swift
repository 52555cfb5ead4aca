import Model

extension PermitStore where Access == WriteTransaction {
    /// For how long a key is kept that nobody uses.
    package static var permitKeyIdleTime: Duration { .seconds(600) }

    /// Deletes keys whose slots have all been free for ``permitKeyIdleTime``, with what belongs to them. One that is
    /// paused, that has grants which count, or whose provider has said when its allowance starts anew, is kept until
    /// then.
    ///
    /// A free slot says no more than one that is not there, and who uses the key again makes it anew
    /// (`docs/permits.md`).
    ///
    /// - Parameters:
    ///   - wall: by which pauses and resets of an earlier boot are over.
    ///   - limit: of keys, so that nobody waits for it.
    /// - Returns: how many were deleted.
    @discardableResult
    package func prunePermitKeys(
        at wall: PruningTime, boot: String = BootID.current, now: MonotonicInstant = .now(), limit: Int
    ) throws -> Int {
        let idleSince = MonotonicInstant(microseconds: now.microseconds - Self.permitKeyIdleTime.microseconds)
        // Of slots of an earlier boot it is only known that they are free a window after the machine started.
        guard idleSince.microseconds > 0 else { return 0 }
        let wallNow = wall.moment
        try prunePeople(boot: boot, idleSince: idleSince)
        try pruneEarlierBoots(at: try permitClock(boot: boot, now: now, wallNow: wallNow))
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
                    OR paused_boot <> \(boot) AND paused_until <= \(wallNow))
                AND (quota_resets_at IS NULL OR quota_resets_at <= \(wallNow))
            ORDER BY key LIMIT \(limit)
            """
        ).map { try $0["key"] }
        for key in keys {
            try transaction.execute("DELETE FROM permit_waiting WHERE key = \(key)")
            try transaction.execute("DELETE FROM permit_turns WHERE key = \(key)")
            try transaction.execute("DELETE FROM permit_grants WHERE key = \(key)")
            try transaction.execute("DELETE FROM permit_quotas WHERE key = \(key)")
            try transaction.execute("DELETE FROM permit_slots WHERE key = \(key)")
            try transaction.execute("DELETE FROM permit_keys WHERE key = \(key)")
        }
        return keys.count
    }

    /// Deletes who waited and who was served some time ago, by their pseudonyms. There are never many.
    private func prunePeople(boot: String, idleSince: MonotonicInstant) throws {
        try transaction.execute(
            "DELETE FROM permit_waiting WHERE boot <> \(boot) OR live_until_instant < \(idleSince)")
        try transaction.execute("DELETE FROM permit_turns WHERE boot <> \(boot) OR served_instant < \(idleSince)")
    }

    /// Deletes grants of boots before this one that count no longer, and then what is known of those boots.
    private func pruneEarlierBoots(at clock: PermitClock) throws {
        for part in clock.earlier {
            let quotas = try transaction.rows(
                """
                SELECT key, name FROM permit_quotas q WHERE EXISTS (SELECT 1 FROM permit_grants g
                    WHERE g.key = q.key AND g.quota = q.name AND g.boot = \(part.boot)
                        AND g.counts_until_instant < \(part.present))
                """
            ).map { (key: try $0["key"] as String, name: try $0["name"] as String) }
            for quota in quotas {
                try transaction.execute(
                    """
                    DELETE FROM permit_grants WHERE key = \(quota.key) AND quota = \(quota.name)
                        AND boot = \(part.boot) AND counts_until_instant < \(part.present)
                    """)
            }
            try transaction.execute(
                """
                DELETE FROM permit_boots WHERE boot = \(part.boot)
                    AND NOT EXISTS (SELECT 1 FROM permit_quotas q JOIN permit_grants g
                        ON g.key = q.key AND g.quota = q.name WHERE g.boot = \(part.boot))
                """)
        }
    }
}
