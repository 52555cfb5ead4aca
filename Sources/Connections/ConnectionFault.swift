import Model

/// The errors of upstreams, sorted by what they mean for a person's connection. The table below is the one place
/// that says what each leads to.
package enum ConnectionFault: String, Sendable, Hashable, CaseIterable {
    // The token endpoint (RFC 6749, section 5.2).

    /// `invalid_grant`.
    case grantRefused
    /// `invalid_client`.
    case clientRefused
    /// `invalid_request`, `unsupported_grant_type` and others: Backline asked wrongly.
    case tokenRequestRefused

    // The API.

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
    /// The provider refuses an API key.
    case keyRefused

    // Both.

    /// 429.
    case rateLimited
    /// 429 that speaks of the day's allowance.
    case quotaExhausted
    /// 5xx.
    case serverError
    /// No answer within the time limit.
    case timedOut
    /// No connection, or one that broke.
    case notReached
    /// An answer that is none: HTML, text, broken JSON.
    case unreadable
    /// The vault does not open what it holds.
    case secretsSealed
}

extension ConnectionFault {
    /// What an error leads to.
    struct Rule {
        let recovery: Recovery
        let effect: Effect
    }

    /// What an error does to the connection.
    enum Effect {
        /// It is about the call, not about the connection.
        case none
        case refresh
        case trouble(ConnectionState.Trouble)
        case loseGrant
        case loseKey
    }

    var rule: Rule {
        switch self {
        case .grantRefused: Rule(recovery: .reconnect, effect: .loseGrant)
        case .clientRefused: Rule(recovery: .fixConfiguration, effect: .trouble(.clientRefused))
        case .tokenRequestRefused: Rule(recovery: .tellUser, effect: .trouble(.unreadable))
        case .accessTokenRefused: Rule(recovery: .refresh, effect: .refresh)
        case .accessTokenRefusedAgain: Rule(recovery: .tellUser, effect: .trouble(.accessRefused))
        case .scopeMissing: Rule(recovery: .askScope, effect: .none)
        case .accountNotAllowed: Rule(recovery: .fixConfiguration, effect: .trouble(.accountNotAllowed))
        case .forbidden: Rule(recovery: .tellUser, effect: .trouble(.forbidden))
        case .requestRefused: Rule(recovery: .tellUser, effect: .none)
        case .keyRefused: Rule(recovery: .reconnect, effect: .loseKey)
        case .rateLimited: Rule(recovery: .retryAt, effect: .trouble(.rateLimited))
        case .quotaExhausted: Rule(recovery: .retryAt, effect: .trouble(.quotaExhausted))
        case .serverError: Rule(recovery: .retryAt, effect: .trouble(.unavailable))
        case .timedOut: Rule(recovery: .retryAt, effect: .trouble(.unavailable))
        case .notReached: Rule(recovery: .retryAt, effect: .trouble(.unavailable))
        case .unreadable: Rule(recovery: .retryAt, effect: .trouble(.unreadable))
        case .secretsSealed: Rule(recovery: .fixConfiguration, effect: .trouble(.secretsSealed))
        }
    }

    package var recovery: Recovery { rule.recovery }

    /// Whether the provider itself said that it did not do what it was asked for.
    var isAnswer: Bool {
        switch self {
        case .serverError, .timedOut, .notReached, .unreadable: false
        default: true
        }
    }

    /// The event that the error is for the connection; `nil` when it is none of its business.
    ///
    /// - Parameters:
    ///   - until: when the trouble passes, as the provider says.
    ///   - lostAnswer: see ``ConnectionEvent/grantRefused(lostAnswer:)``.
    package func event(until: Timestamp? = nil, lostAnswer: Bool = false) -> ConnectionEvent? {
        switch rule.effect {
        case .none: nil
        case .refresh: .accessTokenRefused
        case .trouble(let trouble): .troubled(trouble, until: until)
        case .loseGrant: .grantRefused(lostAnswer: lostAnswer)
        case .loseKey: .keyRefused
        }
    }
}
