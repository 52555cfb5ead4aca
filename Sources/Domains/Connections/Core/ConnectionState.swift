import Model

/// The state of a person's connection to a provider. There is one value for each person and provider, and this fact is
/// recorded nowhere else.
///
/// ``handle(_:)`` is its state machine. A connection that is ``connected`` or ``degraded(_:until:)`` is lost only when
/// the person disconnects, when the provider refuses the grant or key, when the consent ends, or when the installation
/// has another client id. No other answer of a network or an upstream ends it.
package enum ConnectionState: Sendable, Hashable {
    /// The person has connected nothing.
    case disconnected
    /// The person was sent to the provider and has not returned. An attempt that is not finished at `until` leads back
    /// to the previous state: ``needsReconnect(_:)`` with the reason `after`, or ``disconnected`` without one.
    case authorizing(until: Timestamp, after: ReconnectReason? = nil)
    case connected
    /// Connected, but the last call failed. This state ends at `until`, if that is known, or with the next successful
    /// call.
    case degraded(Trouble, until: Timestamp?)
    /// No call can be made until the person connects the provider, or enters a key, again.
    case needsReconnect(ReconnectReason)

    /// Why a call failed, if the reason does not end the connection.
    package enum Trouble: String, Sendable, Hashable, CaseIterable {
        /// The provider asked for a pause (429).
        case rateLimited
        /// The provider's daily quota is used up.
        case quotaExhausted
        /// No network, no answer in time, or a server error (5xx).
        case unavailable
        /// The answer does not fit the provider's API: HTML, text, or an unknown error.
        case unreadable
        /// The app may not serve this account.
        case accountNotAllowed
        /// The app's owner has no premium subscription.
        case ownerPremiumMissing
        /// The provider refuses (403) without a reason.
        case forbidden
        /// The provider refuses an access token that it has just issued.
        case accessRefused
        /// The provider refuses the app's client id.
        case clientRefused
        /// The vault's key does not open the secrets.
        case secretsSealed
    }

    /// Why a person has to connect again.
    package enum ReconnectReason: String, Sendable, Hashable, CaseIterable {
        /// The provider refuses the refresh token (`invalid_grant`), usually because the person revoked the consent
        /// there.
        case revoked
        /// The consent has ended: at Spotify, after six months. The secrets are retained: the clock may be ahead.
        case consentEnded
        /// The answer to a refresh was lost, and the provider no longer accepts the former refresh token.
        case tokenLost
        /// The provider refuses the key; at Apple Music, the developer key.
        case keyRefused
        /// Apple Music refuses the music user token.
        case userTokenRefused
        /// The installation or the person now has another client id, for which the provider does not accept the tokens.
        /// They are retained: with the former client id they work again.
        case clientChanged
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

    /// What ends the state; `nil` when nothing is wrong.
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
        case .accountNotAllowed, .ownerPremiumMissing, .clientRefused, .secretsSealed: .fixConfiguration
        case .forbidden: .tellUser
        // Unlike for `ProviderFailure.Kind.accessTokenRefusedAgain`, which is only reported to the user: here the
        // person is looking at the setup, and can connect again.
        case .accessRefused: .reconnect
        }
    }
}
