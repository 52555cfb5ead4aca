import Model

extension ProviderFailure.Kind {
    /// What an error does to a person's connection.
    enum Effect {
        /// It is about the call, not about the connection.
        case none
        case refresh
        case trouble(ConnectionState.Trouble)
        case loseGrant
        case loseKey
    }

    /// The one place that says what each kind leads to. An answer that a call expects, such as a 403 for somebody
    /// else's playlist, is a value and never gets here.
    var effect: Effect {
        switch self {
        case .connectionNeeded, .credentialMissing, .addressUnusable, .requestUnsendable: .none
        case .scopeMissing, .requestRefused, .shareUsed: .none
        case .accessTokenRefused: .refresh
        case .grantRefused: .loseGrant
        case .keyRefused, .userTokenRefused, .privateKeyUnreadable: .loseKey
        case .clientRefused: .trouble(.clientRefused)
        case .accessTokenRefusedAgain: .trouble(.accessRefused)
        case .accountNotAllowed: .trouble(.accountNotAllowed)
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
    /// The event that it is for the person's connection; `nil` when it is none of its business.
    ///
    /// - Parameter lostAnswer: see ``ConnectionEvent/grantRefused(lostAnswer:)``.
    package func connectionEvent(lostAnswer: Bool = false) -> ConnectionEvent? {
        switch kind.effect {
        case .none: nil
        case .refresh: .accessTokenRefused
        case .trouble(let trouble): .troubled(trouble, until: until)
        case .loseGrant: .grantRefused(lostAnswer: lostAnswer)
        case .loseKey: .keyRefused
        }
    }
}
