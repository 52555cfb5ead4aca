import Model

/// What happens to a connection.
package enum ConnectionEvent: Sendable, Hashable {
    // The person's doing.

    /// Sent to the provider; back by then, or not at all.
    case authorizationBegan(until: Timestamp)
    /// Refused their consent, or the code that they came back with was of no use.
    case authorizationFailed
    /// The provider took the code or the key, and what it gave is stored.
    case accepted
    /// Disconnected, or deleted the key.
    case disconnected

    // The provider's words.

    /// A call was answered as it should be.
    case answered
    /// A call met trouble that is no word about the grant or key; it passes by then, if that is known.
    case troubled(ConnectionState.Trouble, until: Timestamp?)
    /// A 401: the access token is over or refused.
    case accessTokenRefused
    /// `invalid_grant` for the refresh token.
    ///
    /// - `lostAnswer`: a refresh with that same token was sent before, and its answer never arrived.
    case grantRefused(lostAnswer: Bool)
    /// The provider says of the key that it is none of its own.
    case keyRefused

    // The clock's.

    /// The six months are over.
    case consentEnded
    /// It is that time now.
    case time(Timestamp)
}

/// What is to be done after an event, besides storing the state.
package enum ConnectionAction: Sendable, Hashable {
    /// Get a new access token, and make the call once more.
    case refresh
    /// Delete what the vault holds for the connection.
    case forgetSecrets
    /// Let the jobs run that waited for the connection.
    case resumeJobs
}
