/// What resolves an error. API errors and connections have it as a field.
package enum Recovery: String, Sendable, Hashable, CaseIterable {
    /// Backline refreshes the access token.
    case refresh
    /// Trying again at the time in the error.
    case retryAt
    /// The person has to reconnect the service or enter the key again.
    case reconnect
    /// The person has to grant the scope in the error.
    case askScope
    /// The operator has to fix the configuration.
    case fixConfiguration
    /// Nothing; the person only sees what happened.
    case tellUser
}
