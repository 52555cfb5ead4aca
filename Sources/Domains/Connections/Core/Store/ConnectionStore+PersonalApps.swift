import Model
import Storage

extension ConnectionStore {
    /// The client id of the app that a person has registered with a provider; `nil` for none.
    ///
    /// - Parameter provider: a `Provider`'s raw value.
    package func personalApp(userID: String, provider: String) throws -> String? {
        try transaction.row(
            "SELECT client_id FROM personal_apps WHERE user_id = \(userID) AND provider = \(provider)"
        ).map { try $0["client_id"] }
    }
}

extension ConnectionStore where Access == WriteTransaction {
    package func putPersonalApp(_ clientID: String, userID: String, provider: String, now: Timestamp) throws {
        try transaction.run(
            """
            INSERT INTO personal_apps (user_id, provider, client_id, entered_at)
            VALUES (\(userID), \(provider), \(clientID), \(now))
            ON CONFLICT (user_id, provider) DO UPDATE SET
                client_id = excluded.client_id, entered_at = excluded.entered_at
            """)
    }

    /// - Returns: whether there was one.
    package func deletePersonalApp(userID: String, provider: String) throws -> Bool {
        try transaction.execute("DELETE FROM personal_apps WHERE user_id = \(userID) AND provider = \(provider)") == 1
    }
}
