import Model

/// What happens to a connection.
package enum ConnectionEvent: Sendable, Hashable {
    // By the person.

    /// The person was sent to the provider. The attempt ends at `until` unless they return earlier.
    case authorizationBegan(until: Timestamp)
    /// The person refused consent, or the provider refused the code.
    case authorizationFailed
    /// The provider accepted the code or the key, and the tokens or the key are stored.
    case accepted
    /// The person disconnected, or deleted the key.
    case disconnected

    // By the provider.

    /// A call succeeded.
    case answered
    /// A call failed for a reason that says nothing about the grant or key. The reason ends at `until`, if that is
    /// known.
    case troubled(ConnectionState.Trouble, until: Timestamp?)
    /// 401: the access token has expired or is refused.
    case accessTokenRefused
    /// The provider refuses the refresh token (`invalid_grant`).
    ///
    /// - `lostAnswer`: a refresh with the same token was sent before, and its answer never arrived.
    case grantRefused(lostAnswer: Bool)
    /// The provider refuses the key.
    case keyRefused
    /// Apple Music accepts the developer key, but refuses the music user token.
    case userTokenRefused

    // By the configuration.

    /// The client id is not the one that the scopes were granted to.
    case clientChanged

    // By the clock.

    /// Six months have passed since the consent.
    case consentEnded
    /// The present time.
    case time(Timestamp)
}

/// What an event requires in addition to storing the state.
package enum ConnectionAction: Sendable, Hashable {
    /// Get a new access token, and repeat the call once.
    case refresh
    /// Delete the connection's secrets from the vault.
    case forgetSecrets
    /// Make the jobs due that are waiting for the connection.
    case resumeJobs
}
