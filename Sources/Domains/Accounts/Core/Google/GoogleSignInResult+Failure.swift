import Contracts
import Model

extension GoogleSignInResult {
    /// The `Retry-After`, in seconds, of a failure that the operator has to correct.
    private static let misconfigurationRetry = 60

    /// The result for a person whose sign-in with Google failed.
    package init(_ failure: ProviderFailure) {
        if failure.kind == .grantRefused {
            self = .refused(.codeRefused, failure.message)
            return
        }
        let code = Self.unavailability(failure.kind)
        self = .unavailable(
            code, failure.message,
            retryAfter: code.isMisconfiguration ? Self.misconfigurationRetry : failure.retryAfter())
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
