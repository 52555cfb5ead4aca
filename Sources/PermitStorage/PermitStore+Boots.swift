import Model
import Storage

extension PermitStore {
    /// The present on the clocks of this boot and of earlier ones whose grants may still count.
    package func permitClock(boot: String, now: MonotonicInstant, wallNow: Timestamp) throws -> PermitClock {
        let earlier = try transaction.rows(
            """
            SELECT boot, seen_instant, seen_at, joined_boot, clock_lead FROM permit_boots
            WHERE boot <> \(boot) ORDER BY boot
            """
        ).map { row in
            let isJoined = try row["joined_boot"] as String? == boot
            let lead = try row["clock_lead"] as Int64?
            return PermitClock.EarlierBoot(
                boot: try row["boot"],
                present: isJoined && lead != nil
                    ? now.advanced(by: .microseconds(lead ?? 0))
                    : PermitClock.present(
                        ofBootSeenAt: try row["seen_instant"], try row["seen_at"], now: now, wallNow: wallNow))
        }
        return PermitClock(boot: boot, now: now, earlier: earlier)
    }
}

extension PermitStore where Access == WriteTransaction {
    /// Stores what both clocks show, for the next boot, and, once the wall clock is trusted, how far the clocks of
    /// earlier boots are ahead of this one's. Every transaction that counts or changes grants calls it.
    package func recordPermitClock(_ clock: PermitClock, wallNow: Timestamp) throws {
        try transaction.run(
            """
            INSERT INTO permit_boots (boot, seen_instant, seen_at) VALUES (\(clock.boot), \(clock.now), \(wallNow))
            ON CONFLICT (boot) DO UPDATE SET seen_instant = excluded.seen_instant, seen_at = excluded.seen_at
            """)
        guard clock.trustsWallClock else { return }
        for part in clock.earlier {
            let lead = clock.now.duration(to: part.present).microseconds
            try transaction.run(
                """
                UPDATE permit_boots SET seen_instant = \(part.present), seen_at = \(wallNow),
                    joined_boot = \(clock.boot), clock_lead = \(lead)
                WHERE boot = \(part.boot)
                """)
        }
    }
}
