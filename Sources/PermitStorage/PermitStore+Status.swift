import Model
import Platform
import Storage

extension PermitStore where Access == ReadTransaction {
    /// The state of every key that has not been pruned, for operators.
    package func permitStatus(
        boot: String = BootID.current, now: MonotonicInstant = .now(), wallNow: Timestamp = .now()
    ) throws -> [PermitStatus] {
        let quotas = try permitQuotas(at: try permitClock(boot: boot, now: now, wallNow: wallNow))
        return try transaction.rows(
            """
            SELECT key, provider, requests, window_length, paused_until, paused_until_instant, paused_boot,
                pause_reason,
                (SELECT COUNT(*) FROM permit_slots s WHERE s.key = k.key AND s.slot < k.requests
                    AND s.boot = \(boot) AND s.busy_until_instant >= \(now)) AS busy,
                (SELECT CAST(COALESCE(SUM(calls), 0) AS BIGINT)
                    FROM permit_waiting w WHERE w.key = k.key AND w.urgency = 1
                    AND w.boot = \(boot) AND w.live_until_instant > \(now)) AS waiting
            FROM permit_keys k ORDER BY provider, key
            """
        ).map { row in
            let requests: Int = try row["requests"]
            let busy: Int = try row["busy"]
            let key: String = try row["key"]
            return PermitStatus(
                key: key, provider: try row["provider"], requests: requests,
                window: .microseconds(try row["window_length"] as Int64), free: requests - busy, busy: busy,
                pause: try PermitStore<WriteTransaction>.pause(in: row, boot: boot, now: now, wallNow: wallNow)?.pause,
                waiting: try row["waiting"], quotas: quotas[key] ?? [])
        }
    }

    /// The limits besides the slots, by key.
    private func permitQuotas(at clock: PermitClock) throws -> [String: [PermitStatus.Quota]] {
        var result: [String: [PermitStatus.Quota]] = [:]
        let rows = try transaction.rows(
            """
            SELECT q.key, q.name, q.unit, q.amount, q.window_length,
                (SELECT CAST(COALESCE(SUM(weight), 0) AS BIGINT)
                    FROM permit_grants g WHERE g.key = q.key AND g.quota = q.name
                    AND g.boot = \(clock.boot) AND g.counts_until_instant >= \(clock.now)) AS used
            FROM permit_quotas q ORDER BY q.key, q.name
            """)
        for row in rows {
            let key: String = try row["key"]
            let quota = PermitQuotaRecord(
                name: try row["name"], unit: try row["unit"], amount: try row["amount"],
                window: .microseconds(try row["window_length"] as Int64))
            var used: Int = try row["used"]
            for part in clock.earlier {
                let row = try transaction.row(
                    """
                    SELECT CAST(COALESCE(SUM(weight), 0) AS BIGINT) AS used FROM permit_grants
                    WHERE key = \(key) AND quota = \(quota.name) AND boot = \(part.boot)
                        AND counts_until_instant >= \(part.present)
                    """)
                used += try row?["used"] ?? 0
            }
            result[key, default: []].append(PermitStatus.Quota(quota, used: used))
        }
        return result
    }
}
