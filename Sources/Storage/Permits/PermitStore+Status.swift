import Model

extension PermitStore where Access == ReadTransaction {
    /// The state of every key that was used lately, for people to read.
    package func permitStatus(
        boot: String = BootID.current, now: MonotonicInstant = .now(), wallNow: Timestamp = .now()
    ) throws -> [PermitStatus] {
        try transaction.rows(
            """
            SELECT key, provider, requests, window_length, paused_until, paused_until_instant, paused_boot,
                pause_reason,
                (SELECT COUNT(*) FROM permit_slots s WHERE s.key = k.key AND s.slot < k.requests
                    AND s.boot = \(boot) AND s.busy_until_instant >= \(now)) AS busy,
                (SELECT COALESCE(SUM(waiting), 0) FROM permit_demand d WHERE d.key = k.key
                    AND d.boot = \(boot) AND d.live_until_instant > \(now)) AS waiting
            FROM permit_keys k ORDER BY provider, key
            """
        ).map { row in
            let requests: Int = try row["requests"]
            let busy: Int = try row["busy"]
            return PermitStatus(
                key: try row["key"], provider: try row["provider"], requests: requests,
                window: .microseconds(try row["window_length"] as Int64), free: requests - busy, busy: busy,
                pause: try PermitStore<WriteTransaction>.pause(in: row, boot: boot, now: now, wallNow: wallNow)?.pause,
                waiting: try row["waiting"])
        }
    }
}
