extension ProviderFailure {
    /// The kind of failure, by its meaning for the caller. The raw values are stored and are codes of the API.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        // Before anything is sent.

        /// The person has not connected the provider, or has to reconnect it.
        case connectionNeeded
        /// No credential is configured: no API key, or no readable client secret.
        case credentialMissing
        /// The vault cannot open the credential.
        case secretsSealed
        /// The private key that signs tokens is malformed.
        case privateKeyUnreadable
        /// The configured address, or an address from the provider, may not be requested.
        case addressUnusable
        /// The request cannot be sent, for example because of a line break in a key.
        case requestUnsendable
        /// The person's share of the day's calls with the installation's own key is used up.
        case shareUsed

        // The provider's token endpoint (RFC 6749, section 5.2).

        /// `invalid_grant`.
        case grantRefused
        /// `invalid_client`: the provider refuses the operator's client.
        case clientRefused
        /// `invalid_request`, `unsupported_grant_type` and others: the request is wrong.
        case tokenRequestRefused

        // The provider's API.

        /// 401 with an access token that may have expired.
        case accessTokenRefused
        /// 401 with an access token that was refreshed after a 401.
        case accessTokenRefusedAgain
        /// 403 because of a missing scope.
        case scopeMissing
        /// 403 because the account is not on the app's allowlist.
        case accountNotAllowed
        /// 403 because the app's owner has no premium subscription.
        case ownerPremiumMissing
        /// Any other 403, in JSON or text.
        case forbidden
        /// Any other 4xx: the request is wrong.
        case requestRefused
        /// The provider refuses the person's key.
        case keyRefused
        /// The key is valid but not allowed for this call.
        case keyRestricted
        /// The provider accepts the app's token but refuses the person's.
        case userTokenRefused
        /// The call needs a subscription that the person's account does not have.
        case subscriptionMissing
        /// The provider does not serve the country of the installation.
        case locationUnsupported

        // The token endpoint, the API, or the network in between.

        /// 429, or the pause after one.
        case rateLimited
        /// 429 because of the daily quota, or the pause after one.
        case quotaExhausted
        /// 5xx, or an open circuit breaker after several.
        case serverError
        /// No response within the time limit.
        case timedOut
        /// No connection, or a broken one.
        case notReached
        /// A response that cannot be used: HTML, text, malformed JSON, or too large.
        case unreadable
    }
}

extension ProviderFailure.Kind {
    /// What resolves the failure.
    package var recovery: Recovery {
        switch self {
        case .connectionNeeded, .privateKeyUnreadable, .grantRefused, .keyRefused, .userTokenRefused: .reconnect
        case .credentialMissing, .secretsSealed, .addressUnusable, .clientRefused, .accountNotAllowed,
            .ownerPremiumMissing:
            .fixConfiguration
        case .requestUnsendable, .tokenRequestRefused, .accessTokenRefusedAgain, .forbidden, .requestRefused,
            .keyRestricted, .subscriptionMissing, .locationUnsupported:
            .tellUser
        case .accessTokenRefused: .refresh
        case .scopeMissing: .askScope
        case .shareUsed, .rateLimited, .quotaExhausted, .serverError, .timedOut, .notReached, .unreadable: .retryAt
        }
    }

    var outcome: ProviderFailure.Outcome {
        switch self {
        case .connectionNeeded, .credentialMissing, .secretsSealed, .privateKeyUnreadable, .addressUnusable,
            .requestUnsendable, .shareUsed:
            .notSent
        case .serverError, .timedOut, .notReached, .unreadable: .unknown
        default: .refused
        }
    }
}
