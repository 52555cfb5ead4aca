import Model

/// How a person stands with a service: one value for each person and provider, and the only source of truth.
///
/// ``handle(_:)`` is its state machine. Out of ``connected`` (and ``degraded(_:until:)``, which is connected with
/// trouble) lead the person, the provider's own word that the grant or key is no good, and the end of what was
/// consented to. Nothing else does, whatever a network or an upstream answers.
package enum ConnectionState: Sendable, Hashable {
    /// Nothing is set up.
    case disconnected
    /// The person was sent to the provider and has not come back. Until then the attempt counts; one that is not
    /// finished leads back to where it began, to `after` if the connection had been lost before.
    case authorizing(until: Timestamp, after: ReconnectReason? = nil)
    case connected
    /// Connected, but the last call met trouble. It passes by itself at `until`, if that is known, and with the
    /// next call that is answered.
    case degraded(Trouble, until: Timestamp?)
    /// Calls cannot be made before the person has connected the service, or entered the key, again.
    case needsReconnect(ReconnectReason)

    /// What a call met that ends no connection.
    package enum Trouble: String, Sendable, Hashable, CaseIterable {
        /// The provider asked for a pause (429).
        case rateLimited
        /// The allowance of the day is used up.
        case quotaExhausted
        /// No network, no answer in time, or an error of the provider's own (5xx).
        case unavailable
        /// What came was not what the provider's API answers: HTML, text, or an error of no known kind.
        case unreadable
        /// The account is not among those that the operator's app may serve.
        case accountNotAllowed
        /// The provider refuses (403) without a word that would tell why.
        case forbidden
        /// The provider refuses an access token that it gave just before.
        case accessRefused
        /// The provider refuses the operator's client id.
        case clientRefused
        /// The vault's key does not open the secrets.
        case secretsSealed
    }

    /// Why a person has to connect again.
    package enum ReconnectReason: String, Sendable, Hashable, CaseIterable {
        /// The provider says that the grant is over (`invalid_grant`): most often the person revoked it there.
        case revoked
        /// What was consented to has ended: six months after consent, at Spotify.
        case consentEnded
        /// A refreshed token was sent and never arrived, and the one before it is good no more.
        case tokenLost
        /// The provider refuses the key.
        case keyRefused
    }
}

extension ConnectionState {
    /// Whether calls may be made.
    package var isUsable: Bool {
        switch self {
        case .connected, .degraded: true
        case .disconnected, .authorizing, .needsReconnect: false
        }
    }

    /// The state's name in the API and the database.
    package enum Name: String, Sendable, Hashable, CaseIterable {
        case disconnected, authorizing, connected, degraded, needsReconnect
    }

    package var name: Name {
        switch self {
        case .disconnected: .disconnected
        case .authorizing: .authorizing
        case .connected: .connected
        case .degraded: .degraded
        case .needsReconnect: .needsReconnect
        }
    }

    /// What gets out of it; `nil` where nothing is wrong.
    package var recovery: Recovery? {
        switch self {
        case .disconnected, .authorizing, .connected: nil
        case .degraded(let trouble, _): trouble.recovery
        case .needsReconnect: .reconnect
        }
    }
}

extension ConnectionState.Trouble {
    package var recovery: Recovery {
        switch self {
        case .rateLimited, .quotaExhausted, .unavailable, .unreadable: .retryAt
        case .accountNotAllowed, .clientRefused, .secretsSealed: .fixConfiguration
        case .forbidden: .tellUser
        // Unlike the error itself: for a job there is nobody to connect again at once.
        case .accessRefused: .reconnect
        }
    }
}
