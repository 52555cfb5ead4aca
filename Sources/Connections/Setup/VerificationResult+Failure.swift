import Contracts
import Model

extension VerificationResult {
    /// What a failure of the call that proves a candidate says of it.
    init(_ failure: ProviderFailure) {
        if let (code, field) = Self.refusal(failure) {
            self = .refused(code: code, failure.message, field: field)
        } else if failure.kind == .requestUnsendable {
            self = .refused(code: .keyRefused, "What was entered holds characters that no key has. Copy it again.")
        } else {
            self = .unavailable(
                code: Self.unavailability(failure.kind), failure.message, retryAfter: failure.retryAfter())
        }
    }

    /// The code, and the field that is wrong, of a failure that is about what was entered.
    private static func refusal(_ failure: ProviderFailure) -> (Code, field: String?)? {
        let isApple = failure.provider == .appleMusic
        return switch failure.kind {
        case .keyRefused: (.keyRefused, field: isApple ? "privateKey" : "apiKey")
        case .credentialMissing: (.keyRefused, field: "apiKey")
        case .keyRestricted: (.keyRestricted, field: "apiKey")
        case .locationUnsupported: (.locationUnsupported, field: "apiKey")
        case .privateKeyUnreadable: (.privateKeyUnreadable, field: "privateKey")
        case .userTokenRefused: (.userTokenRefused, field: "userToken")
        case .subscriptionMissing: (.subscriptionMissing, field: "userToken")
        // There is nothing in Apple's call but what was entered; in the others' there are parameters of ours.
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
