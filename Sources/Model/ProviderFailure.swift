/// Why a call to a provider brought nothing: the one value that transport, providers, domains and jobs use for it.
///
/// Transport and providers make it, each with one mapping from errors of its own (decision 013); domains map from it.
/// No field holds a secret, a URL or text of an answer.
package struct ProviderFailure: Error, Sendable, Hashable {
    /// What the provider did of what it was asked for.
    package enum Outcome: Sendable, Hashable {
        /// Nothing was sent.
        case notSent
        /// The provider said that it did nothing of it.
        case refused
        /// Nobody knows: no answer came, or none that says so. Sending it again may do it twice.
        case unknown
    }

    package var provider: Provider
    package var kind: Kind
    /// When trying again makes sense, as the provider or this installation's own pause says; `nil` when nobody said.
    package var until: Timestamp?
    package var outcome: Outcome
    /// For people: what happened, and what to do.
    package var message: String
    /// Of trouble on the way to the provider: what it was, for logs and operators.
    package var cause: String?
    /// The provider's own code for it, where it has one: Spotify's `reason`, Apple's or Ticketmaster's `code`.
    package var reason: String?
    /// What is missing, for ``Kind/scopeMissing``: scopes with a space between; `nil` where nobody says which.
    package var scope: String?
    private var exception: Recovery?

    /// - Parameters:
    ///   - recovery: `nil` goes by the kind, and so does `outcome`.
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

    /// What gets out of it.
    package var recovery: Recovery { exception ?? kind.recovery }

    /// Whole seconds until trying again makes sense, 1 at least, where the provider has said when.
    package func retryAfter(at now: Timestamp = .now()) -> Int? {
        guard kind == .rateLimited || kind == .quotaExhausted, let until else { return nil }
        let wait = now.duration(to: until).components
        return max(1, Int(wait.seconds) + (wait.attoseconds > 0 ? 1 : 0))
    }
}

extension ProviderFailure: CustomStringConvertible {
    /// As jobs and logs write it.
    package var description: String {
        cause.map { "\(provider.displayName) was not asked, or did not answer: \($0)." } ?? message
    }
}
