import Jobs
import Model
import Storage

/// A person connected their account at a provider, or connected it again with more scopes or with a new token or key.
/// Connections publishes it in the worker that stored the connection.
///
/// Subscribers may submit jobs, which are handed out once the transaction is durable.
package struct AccountConnected: DomainEvent {
    package typealias Context = JobSubmissions

    package let userID: String
    package let provider: Provider

    package init(userID: String, provider: Provider) {
        (self.userID, self.provider) = (userID, provider)
    }
}

/// A person connected another account at a provider in place of the former one. Connections publishes it in the worker
/// that stored the connection, before it publishes ``AccountConnected``.
package struct AccountReplaced: DomainEvent {
    package let userID: String
    package let provider: Provider
    /// Whether the person wants to keep what was read from the former account.
    package let keepsFormerData: Bool

    package init(userID: String, provider: Provider, keepsFormerData: Bool) {
        (self.userID, self.provider, self.keepsFormerData) = (userID, provider, keepsFormerData)
    }
}

/// A person disconnected their account at a provider, or removed their key. Connections publishes it in the gateway,
/// even if nothing was connected.
package struct AccountRemoved: DomainEvent {
    package let userID: String
    package let provider: Provider
    /// The providers to which the person is still connected, even if they have to reconnect.
    package let remaining: Set<Provider>

    package init(userID: String, provider: Provider, remaining: Set<Provider>) {
        (self.userID, self.provider, self.remaining) = (userID, provider, remaining)
    }
}
