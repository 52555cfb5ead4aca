extension ProviderFailure {
    /// What went wrong, sorted by what it means for whoever asked. The raw values are stored codes of the API.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        // Before anything is sent.

        /// The person has not connected the provider, or has to do it again.
        case connectionNeeded
        /// Nothing is set up to ask with: no API key, no readable client secret.
        case credentialMissing
        /// The vault does not open what it holds.
        case secretsSealed
        /// The private key that signs tokens is none.
        case privateKeyUnreadable
        /// The address that is configured, or that the provider has named, is none that may be asked.
        case addressUnusable
        /// What is to be sent cannot be put on the wire: a line break in a key.
        case requestUnsendable
        /// The person's share of the day's calls with the installation's own key is used up.
        case shareUsed

        // The provider's token endpoint (RFC 6749, section 5.2).

        /// `invalid_grant`.
        case grantRefused
        /// `invalid_client`: the operator's client.
        case clientRefused
        /// `invalid_request`, `unsupported_grant_type` and others: Backline asked wrongly.
        case tokenRequestRefused

        // The provider's API.

        /// 401, the first time.
        case accessTokenRefused
        /// 401 with a token that was got because of the first.
        case accessTokenRefusedAgain
        /// 403 for want of a scope.
        case scopeMissing
        /// 403 for an account that is not on the app's list.
        case accountNotAllowed
        /// Any other 403, in JSON or text.
        case forbidden
        /// Other 4xx: the call itself is wrong.
        case requestRefused
        /// The provider does not take the person's key.
        case keyRefused
        /// The key is good, and may not be used for this.
        case keyRestricted
        /// The provider takes the app's key, and not the person's own token.
        case userTokenRefused
        /// The person's account has no subscription, which the call needs.
        case subscriptionMissing
        /// The provider serves nobody in the country that is asked from.
        case locationUnsupported

        // Either, or neither.

        /// 429, or the pause that one began.
        case rateLimited
        /// 429 that speaks of the day's allowance, or the pause that one began.
        case quotaExhausted
        /// 5xx; or so many of late that nothing is sent.
        case serverError
        /// No answer within the time limit.
        case timedOut
        /// No connection, or one that broke.
        case notReached
        /// An answer that is none: HTML, text, broken JSON, too much of it.
        case unreadable
    }
}

extension ProviderFailure.Kind {
    /// What gets out of it.
    package var recovery: Recovery {
        switch self {
        case .connectionNeeded, .privateKeyUnreadable, .grantRefused, .keyRefused, .userTokenRefused: .reconnect
        case .credentialMissing, .secretsSealed, .addressUnusable, .clientRefused, .accountNotAllowed:
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
