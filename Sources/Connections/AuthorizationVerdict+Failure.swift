import Contracts
import Model

extension AuthorizationVerdict {
    package static func failed(_ code: String, _ recovery: Recovery, _ detail: String) -> AuthorizationVerdict {
        AuthorizationVerdict(isConnected: false, code: code, recovery: recovery.rawValue, detail: detail)
    }

    /// All codes that a failed attempt can have.
    package static let codes: Set<String> = Set(
        ["noVerdict", "authorizationOver", "codeRefused"]
            + [
                ProviderFailure.Kind.accountNotAllowed, .clientRefused, .tokenRequestRefused, .secretsSealed,
                .rateLimited,
                .quotaExhausted, .serverError, .timedOut, .notReached, .unreadable,
            ].map(\.rawValue))

    /// Of a code that is refused, the way out is the same as of a grant: to connect again.
    init(_ failure: ProviderFailure) {
        self.init(
            isConnected: false, code: failure.kind == .grantRefused ? "codeRefused" : failure.kind.rawValue,
            recovery: failure.recovery.rawValue, detail: failure.description,
            retryAt: failure.until.map { $0.microseconds / 1_000_000 })
    }
}
