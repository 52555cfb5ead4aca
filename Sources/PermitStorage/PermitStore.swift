import Model
import Platform
import Storage

/// The SQL of permits: what every transaction reads, and what a ``WriteTransaction`` writes.
package struct PermitStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var permits: PermitStore<Self> { PermitStore(transaction: self) }
}

extension PermitStore {
    /// The moment at which the last busy slot of each key becomes free at the latest, for slots of this boot.
    package func permitHorizons(boot: String = BootID.current) throws -> [(key: String, busyUntil: MonotonicInstant)] {
        try transaction.rows(
            """
            SELECT key, MAX(busy_until_instant) AS busy_until FROM permit_slots WHERE boot = \(boot)
            GROUP BY key ORDER BY key
            """
        ).map { (try $0["key"], try $0["busy_until"]) }
    }
}
