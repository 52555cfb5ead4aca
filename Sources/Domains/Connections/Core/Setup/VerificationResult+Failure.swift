import Contracts
import Model

extension VerificationResult {
    /// The result for a candidate whose verifying call failed.
    init(_ failure: ProviderFailure) {
        if let (code, field) = Self.refusal(failure) {
            self = .refused(code: code, failure.message, field: field)
        } else if failure.kind == .requestUnsendable {
            self = .refused(code: .keyRefused, "The entry has characters that keys never have. Copy the key again.")
        } else {
            self = .unavailable(
                code: Self.unavailability(failure.kind), failure.message, retryAfter: failure.retryAfter())
        }
    }

    /// The code and the wrong field, if the failure concerns what was entered.
    private static func refusal(_ failure: ProviderFailure) -> (Code, field: String?)? {
        let isApple = failure.provider == .appleMusic
        return switch failure.kind {
        case .keyRefused: (.keyRefused, field: isApple ? "privateKey" : "apiKey")
        // Apple's missing key is the installation's, not one that was entered.
        case .credentialMissing where !isApple: (.keyRefused, field: "apiKey")
        case .keyRestricted: (.keyRestricted, field: "apiKey")
        case .locationUnsupported: (.locationUnsupported, field: "apiKey")
        case .privateKeyUnreadable: (.privateKeyUnreadable, field: "privateKey")
        case .userTokenRefused: (.userTokenRefused, field: "userToken")
        case .subscriptionMissing: (.subscriptionMissing, field: "userToken")
        // Apple's call has no parameters but those that were entered; the other calls have some of Backline's own.
        case .requestRefused where isApple: (.requestRefused, field: nil)
        default: nil
        }
    }

    private static func unavailability(_ kind: ProviderFailure.Kind) -> Code {
        switch kind {
        case .notReached, .timedOut: .networkError
        case .rateLimited: .rateLimited
        case .quotaExhausted: .quotaExhausted
        case .unreadable, .addressUnusable: .invalidResponse
        case .secretsSealed: .vaultUnavailable
        default: .upstreamError
        }
    }
}
