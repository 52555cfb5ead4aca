import Model
import Storage

/// Quotas: the weight of a key's grants while they count.
extension PermitStore where Access == WriteTransaction {
    /// Stores the quotas of a key; deletes quotas that it no longer has, with their grants.
    package func registerPermitQuotas(_ quotas: [PermitQuotaRecord], of key: String) throws {
        for quota in quotas {
            try transaction.run(
                """
                INSERT INTO permit_quotas (key, name, unit, amount, window_length)
                VALUES (\(key), \(quota.name), \(quota.unit), \(quota.amount), \(quota.window.microseconds))
                ON CONFLICT (key, name) DO UPDATE SET unit = excluded.unit, amount = excluded.amount,
                    window_length = excluded.window_length
                """)
        }
        let former: [String] = try transaction.rows(
            "SELECT name FROM permit_quotas WHERE key = \(key) AND name NOT IN (\(list: [""] + quotas.map(\.name)))"
        ).map { try $0["name"] }
        for name in former {
            try transaction.run("DELETE FROM permit_grants WHERE key = \(key) AND quota = \(name)")
            try transaction.run("DELETE FROM permit_quotas WHERE key = \(key) AND name = \(name)")
        }
    }

    /// Deletes grants that no longer count, and returns the total weight of the others.
    package func permitWeight(of key: String, quota: String, at clock: PermitClock) throws -> Int {
        try transaction.run(
            """
            DELETE FROM permit_grants WHERE key = \(key) AND quota = \(quota) AND boot = \(clock.boot)
                AND counts_until_instant < \(clock.now)
            """)
        return try counting(at: clock).reduce(0) { total, part in
            let row = try transaction.row(
                """
                SELECT CAST(COALESCE(SUM(weight), 0) AS BIGINT) AS weight FROM permit_grants
                WHERE key = \(key) AND quota = \(quota) AND boot = \(part.boot)
                    AND counts_until_instant >= \(part.present)
                """)
            return total + (try row?["weight"] ?? 0)
        }
    }

    /// The weight of requests that are under way, whose answers may make room at any moment.
    package func permitWeightUnderWay(of key: String, quota: String, at clock: PermitClock) throws -> Int {
        let row = try transaction.row(
            """
            SELECT CAST(COALESCE(SUM(weight), 0) AS BIGINT) AS weight FROM permit_grants
            WHERE key = \(key) AND quota = \(quota) AND boot = \(clock.boot)
                AND counts_until_instant >= \(clock.now) AND arrived_by_instant >= \(clock.now) AND holder IS NOT NULL
            """)
        return try row?["weight"] ?? 0
    }

    /// The moment of this boot at which grants with a total of `weight` will have stopped counting if nothing else
    /// happens.
    ///
    /// - Returns: `nil` if nothing counts. Only the 500 grants that end first are considered: if more have to end, the
    ///   result is the end of the last of those.
    package func permitRoom(
        for weight: Int, of key: String, quota: String, at clock: PermitClock
    ) throws -> MonotonicInstant? {
        let most = min(weight, 500)
        var ends: [(time: MonotonicInstant, weight: Int)] = []
        for part in counting(at: clock) {
            ends += try transaction.rows(
                """
                SELECT counts_until_instant, weight FROM permit_grants
                WHERE key = \(key) AND quota = \(quota) AND boot = \(part.boot)
                    AND counts_until_instant >= \(part.present) AND weight > 0
                ORDER BY counts_until_instant LIMIT \(most)
                """
            ).map { row in
                let end: MonotonicInstant = try row["counts_until_instant"]
                return (clock.now.advanced(by: part.present.duration(to: end)), try row["weight"])
            }
        }
        var freed = 0
        var last: MonotonicInstant?
        for (index, end) in ends.sorted(by: { $0.time < $1.time }).enumerated() {
            freed += end.weight
            last = end.time
            if freed >= weight || index + 1 == most { return last }
        }
        return last
    }

    /// Stores a grant.
    ///
    /// - Parameters:
    ///   - arrivedBy: the hard deadline of its request.
    ///   - countsUntil: a window after that.
    package func addPermitGrant(
        _ key: String, quota: String, slot: Int, grantNumber: Int64, boot: String, weight: Int, holder: String,
        arrivedBy: MonotonicInstant, countsUntil: MonotonicInstant
    ) throws {
        try transaction.run(
            """
            INSERT INTO permit_grants (key, quota, slot, grant_number, boot, weight, arrived_by_instant,
                counts_until_instant, holder)
            VALUES (\(key), \(quota), \(slot), \(grantNumber), \(boot), \(weight), \(arrivedBy), \(countsUntil),
                \(holder))
            """)
    }

    /// Stores when the request of a grant ended and what it weighed. Only the first call for a grant has an effect.
    ///
    /// - Parameter weight: the weight that the answer reported; `nil` leaves the estimate.
    package func endPermitGrant(
        _ key: String, quota: String, slot: Int, grantNumber: Int64, weight: Int?, arrivedBy: MonotonicInstant,
        countsUntil: MonotonicInstant
    ) throws {
        try transaction.run(
            """
            UPDATE permit_grants SET holder = NULL, arrived_by_instant = \(arrivedBy),
                counts_until_instant = \(countsUntil), weight = COALESCE(CAST(\(weight) AS BIGINT), weight)
            WHERE key = \(key) AND quota = \(quota) AND slot = \(slot) AND grant_number = \(grantNumber)
                AND holder IS NOT NULL
            """)
    }

    /// Deletes a grant whose request was not counted by the provider.
    package func removePermitGrant(_ key: String, quota: String, slot: Int, grantNumber: Int64) throws {
        try transaction.run(
            """
            DELETE FROM permit_grants
            WHERE key = \(key) AND quota = \(quota) AND slot = \(slot) AND grant_number = \(grantNumber)
                AND holder IS NOT NULL
            """)
    }

    /// Lets grants of requests that had arrived by `granted`, including those of earlier boots, count until `reset` at
    /// the latest.
    package func endPermitGrants(
        of key: String, quota: String, arrivedBy granted: MonotonicInstant, at reset: MonotonicInstant,
        clock: PermitClock
    ) throws {
        try transaction.run(
            """
            UPDATE permit_grants SET counts_until_instant = \(reset)
            WHERE key = \(key) AND quota = \(quota) AND boot = \(clock.boot) AND counts_until_instant > \(reset)
                AND arrived_by_instant <= \(granted)
            """)
        for part in clock.earlier {
            try transaction.run(
                """
                UPDATE permit_grants SET boot = \(clock.boot), arrived_by_instant = 0, counts_until_instant = \(reset),
                    holder = NULL
                WHERE key = \(key) AND quota = \(quota) AND boot = \(part.boot)
                    AND counts_until_instant > \(clock.moment(reset, on: part))
                """)
        }
    }

    /// The boots whose grants may count, each with the present on its clock.
    func counting(at clock: PermitClock) -> [(boot: String, present: MonotonicInstant)] {
        [(clock.boot, clock.now)] + clock.earlier.map { ($0.boot, $0.present) }
    }
}
