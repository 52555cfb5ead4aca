/// The failure of a call to a provider. Transport, providers, domains and jobs share this type.
///
/// Transport and providers each map their own errors to it (decision 013); domains map from it. No field contains a
/// secret, a URL or text of a response.
package struct ProviderFailure: Error, Sendable, Hashable {
    /// Whether the provider carried out the request.
    package enum Outcome: Sendable, Hashable {
        /// The request was not sent.
        case notSent
        /// The provider refused the request and did nothing.
        case refused
        /// It is unknown: there was no conclusive response. Sending the request again may do it twice.
        case unknown
    }

    package var provider: Provider
    package var kind: Kind
    /// The time at which to try again, from the provider or from this installation's own pause; `nil` when unknown.
    package var until: Timestamp?
    package var outcome: Outcome
    /// The text for people: what happened, and what to do.
    package var message: String
    /// The cause of a connection failure, for logs and operators.
    package var cause: String?
    /// The provider's own error code, if it has one: Spotify's `reason`, Apple's or Ticketmaster's `code`.
    package var reason: String?
    /// The missing scopes for ``Kind/scopeMissing``, separated by spaces; `nil` when unknown.
    package var scope: String?
    private var exception: Recovery?

    /// - Parameters:
    ///   - recovery: `nil` uses the recovery of the kind.
    ///   - outcome: `nil` uses the outcome of the kind.
    package init(
        _ provider: Provider, _ kind: Kind, until: Timestamp? = nil, recovery: Recovery? = nil,
        outcome: Outcome? = nil, message: String, cause: String? = nil, reason: String? = nil, scope: String? = nil
    ) {
        self.provider = provider
        self.kind = kind
        self.until = until
        self.outcome = outcome ?? kind.outcome
        self.message = message
        self.cause = cause
        self.reason = reason
        self.scope = scope
        exception = recovery
    }

    /// What resolves the failure.
    package var recovery: Recovery { exception ?? kind.recovery }

    /// The whole seconds until the provider can be called again, at least 1; `nil` when unknown.
    package func retryAfter(at now: Timestamp = .now()) -> Int? {
        guard kind == .rateLimited || kind == .quotaExhausted, let until else { return nil }
        let wait = now.duration(to: until).components
        return max(1, Int(wait.seconds) + (wait.attoseconds > 0 ? 1 : 0))
    }
}

extension ProviderFailure: CustomStringConvertible {
    /// The text for jobs and logs.
    package var description: String {
        cause.map { "\(provider.displayName) was not asked, or did not answer: \($0)." } ?? message
    }
}
