import DomainEvents
import Model
import Storage

extension ConnectionStore where Access == WriteTransaction {
    /// Publishes that a person disconnected a provider, in the transaction that ends the connection.
    package func publishRemoval(of provider: Provider, userID: String) throws {
        let connected = try transaction.rows(
            """
            SELECT provider FROM connections
            WHERE user_id = \(userID) AND provider <> \(provider.rawValue)
                AND state IN ('connected', 'degraded', 'needsReconnect')
            """)
        let remaining = try connected.compactMap { Provider(rawValue: try $0["provider"]) }
        try transaction.publish(
            AccountRemoved(userID: userID, provider: provider, remaining: Set(remaining)))
    }
}
