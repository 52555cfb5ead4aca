import Model

extension ConcertWarningCode {
    /// The warning in a search's answer for a failed call.
    package init(_ failure: ProviderFailure) {
        self =
            switch failure.kind {
            case .notReached, .timedOut: .networkError
            case .unreadable: .invalidResponse
            case .rateLimited: .rateLimited
            case .quotaExhausted: .quotaExhausted
            case .shareUsed: .dailyShareUsed
            case .credentialMissing: .ticketmasterKeyMissing
            case .keyRefused: .ticketmasterKeyInvalid
            default: .upstreamError
            }
    }
}

extension ProviderFailure {
    /// Whether the failure concerns only the key of the call: a call with another key may succeed.
    package var concernsKey: Bool { [.keyRefused, .credentialMissing, .quotaExhausted, .shareUsed].contains(kind) }

    /// Whether a call for fewer attractions may succeed, because a single attraction may cause the failure.
    var isWorthSplitting: Bool {
        switch ConcertWarningCode(self) {
        // A call that was not sent because too many have failed says nothing about its attractions.
        case .networkError, .upstreamError, .invalidResponse: !(kind == .serverError && outcome == .notSent)
        case .rateLimited, .ticketmasterKeyMissing, .ticketmasterKeyInvalid, .quotaExhausted, .dailyShareUsed,
            .radiusIgnored:
            false
        }
    }
}
