import Contracts
import Model

extension GoogleSignInResult {
    /// When operators have something to mend, trying again makes sense after this, in seconds.
    private static let mending = 60

    /// What a failed call to Google means for whoever signs in.
    package init(_ failure: ProviderFailure) {
        if failure.kind == .grantRefused {
            self = .refused(.codeRefused, failure.message)
            return
        }
        let code = Self.unavailability(failure.kind)
        self = .unavailable(
            code, failure.message, retryAfter: code.isMisconfiguration ? Self.mending : failure.retryAfter())
    }

    private static func unavailability(_ kind: ProviderFailure.Kind) -> Code {
        switch kind {
        case .notReached, .timedOut: .networkError
        case .rateLimited, .quotaExhausted: .rateLimited
        case .unreadable, .addressUnusable, .requestUnsendable: .invalidResponse
        case .secretsSealed: .vaultUnavailable
        case .clientRefused: .clientRefused
        case .credentialMissing: .clientSecretUnreadable
        default: .upstreamError
        }
    }
}
