import Model
import Storage

/// The most services for which a person's programs may store how far they have imported listens.
package let mostImportServices = 100

extension ListeningStore {
    /// The time up to which a program has imported listens from a service, in seconds since 1970; 0 before the first
    /// import.
    package func latestImport(from service: String, userID: String) throws -> Int {
        guard let history = try historyID(ofUser: userID) else { return 0 }
        return try transaction.row(
            "SELECT latest FROM listen_latest_imports WHERE history_id = \(history) AND service = \(service)"
        )?["latest"] ?? 0
    }
}

extension ListeningStore where Access == WriteTransaction {
    /// Stores the time up to which a program has imported listens. An earlier time has no effect.
    ///
    /// - Returns: `false` if ``mostImportServices`` other services are stored already.
    package func recordImport(until latest: Int, from service: String, userID: String, now: Timestamp) throws -> Bool {
        let history = try openHistory(ofUser: userID, now: now)
        let others: Int =
            try transaction.row(
                """
                SELECT COUNT(*) AS others FROM listen_latest_imports
                WHERE history_id = \(history) AND service <> \(service)
                """)?["others"] ?? 0
        guard others < mostImportServices else { return false }
        try transaction.run(
            """
            INSERT INTO listen_latest_imports (history_id, service, latest) VALUES (\(history), \(service), \(latest))
            ON CONFLICT (history_id, service) DO UPDATE SET latest = excluded.latest
            WHERE listen_latest_imports.latest < excluded.latest
            """)
        return true
    }
}
