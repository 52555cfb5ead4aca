import Model

extension PermitStore {
    /// When each key's last slot becomes free, at the latest, as far as the times are of this boot.
    package func permitHorizons(boot: String = BootID.current) throws -> [(key: String, busyUntil: MonotonicInstant)] {
        try transaction.rows(
            """
            SELECT key, MAX(busy_until_instant) AS busy_until FROM permit_slots WHERE boot = \(boot)
            GROUP BY key ORDER BY key
            """
        ).map { (try $0["key"], try $0["busy_until"]) }
    }
}
