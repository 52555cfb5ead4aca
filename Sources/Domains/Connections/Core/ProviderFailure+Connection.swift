import Model

extension ProviderFailure.Kind {
    /// The effect of an error on the person's connection.
    enum Effect {
        /// No effect: the error only concerns the call.
        case none
        case refresh
        case trouble(ConnectionState.Trouble)
        case loseGrant
        case loseKey
        case loseUserToken
    }

    /// The effect of each kind; no other code decides about it. An answer that a call expects, such as a 403 for
    /// another person's playlist, is a value, not a failure.
    var effect: Effect {
        switch self {
        case .connectionNeeded, .credentialMissing, .addressUnusable, .requestUnsendable: .none
        case .scopeMissing, .requestRefused, .shareUsed: .none
        case .accessTokenRefused: .refresh
        case .grantRefused: .loseGrant
        case .keyRefused, .privateKeyUnreadable: .loseKey
        case .userTokenRefused: .loseUserToken
        case .clientRefused: .trouble(.clientRefused)
        case .accessTokenRefusedAgain: .trouble(.accessRefused)
        case .accountNotAllowed: .trouble(.accountNotAllowed)
        case .ownerPremiumMissing: .trouble(.ownerPremiumMissing)
        case .forbidden, .keyRestricted, .subscriptionMissing, .locationUnsupported: .trouble(.forbidden)
        case .rateLimited: .trouble(.rateLimited)
        case .quotaExhausted: .trouble(.quotaExhausted)
        case .serverError, .timedOut, .notReached: .trouble(.unavailable)
        case .unreadable, .tokenRequestRefused: .trouble(.unreadable)
        case .secretsSealed: .trouble(.secretsSealed)
        }
    }
}

extension ProviderFailure {
    /// The event for the person's connection; `nil` when the failure does not concern it.
    ///
    /// - Parameter lostAnswer: see ``ConnectionEvent/grantRefused(lostAnswer:)``.
    package func connectionEvent(lostAnswer: Bool = false) -> ConnectionEvent? {
        switch kind.effect {
        case .none: nil
        case .refresh: .accessTokenRefused
        case .trouble(let trouble): .troubled(trouble, until: until)
        case .loseGrant: .grantRefused(lostAnswer: lostAnswer)
        case .loseKey: .keyRefused
        case .loseUserToken: .userTokenRefused
        }
    }
}
