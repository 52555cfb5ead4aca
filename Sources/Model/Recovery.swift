/// What gets a person or an operator out of an error, as API errors and connections carry it.
package enum Recovery: String, Sendable, Hashable, CaseIterable {
    /// Backline gets a new access token by itself.
    case refresh
    /// It mends itself, at the time that goes with it.
    case retryAt
    /// The person has to connect the service, or enter the key, again.
    case reconnect
    /// The person has to allow something further, named by its scope.
    case askScope
    /// The operator has to mend the configuration.
    case fixConfiguration
    /// Nothing but telling the person what happened.
    case tellUser
}
