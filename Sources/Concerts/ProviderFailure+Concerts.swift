import Model

extension ConcertWarningCode {
    /// The warning that people see for a failed call.
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
    /// Whether another key may not meet it.
    var isOfKey: Bool { [.keyRefused, .credentialMissing, .quotaExhausted, .shareUsed].contains(kind) }

    /// Whether asking for less may help: something among what was asked for may be the cause.
    var mayBeOneCulprit: Bool {
        switch ConcertWarningCode(self) {
        // Any other call would meet it, too, where so many fail that none is sent.
        case .networkError, .upstreamError, .invalidResponse: !(kind == .serverError && outcome == .notSent)
        case .rateLimited, .ticketmasterKeyMissing, .ticketmasterKeyInvalid, .quotaExhausted, .dailyShareUsed,
            .radiusIgnored:
            false
        }
    }
}
