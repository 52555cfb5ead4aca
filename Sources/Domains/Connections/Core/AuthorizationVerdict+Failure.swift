import Contracts
import Model

extension AuthorizationVerdict {
    package static func failed(_ code: String, _ recovery: Recovery, _ detail: String) -> AuthorizationVerdict {
        AuthorizationVerdict(isConnected: false, code: code, recovery: recovery.rawValue, detail: detail)
    }

    /// All codes that a failed attempt can have.
    package static let codes: Set<String> = Set(
        ["noVerdict", "authorizationOver", "codeRefused", "accountUnknown"]
            + [
                ProviderFailure.Kind.accountNotAllowed, .ownerPremiumMissing, .clientRefused, .tokenRequestRefused,
                .secretsSealed,
                .rateLimited, .quotaExhausted, .serverError, .timedOut, .notReached, .unreadable,
            ].map(\.rawValue))

    /// The verdict on an attempt that failed at the provider. In an attempt, `grantRefused` means that the code was
    /// refused.
    init(_ failure: ProviderFailure) {
        self.init(
            isConnected: false, code: failure.kind == .grantRefused ? "codeRefused" : failure.kind.rawValue,
            recovery: failure.recovery.rawValue, detail: failure.description,
            retryAt: failure.until.map { $0.microseconds / 1_000_000 })
    }

    /// The attempt succeeded with another account, and the person is asked whether to replace the connected one.
    ///
    /// - Parameters:
    ///   - account: the name of the account that the person signed in with.
    ///   - former: the name of the connected account.
    static func otherAccount(_ account: String, insteadOf former: String) -> AuthorizationVerdict {
        failed(
            "otherAccount", .tellUser,
            "Spotify is connected as \(former), but you signed in there as \(account). Nothing has changed yet. Decide "
                + "within ten minutes whether \(account) replaces \(former).")
    }

    /// - Parameter trouble: why Spotify did not name the account.
    static func accountUnknown(_ trouble: ProviderFailure?) -> AuthorizationVerdict {
        AuthorizationVerdict(
            isConnected: false, code: "accountUnknown", recovery: Recovery.retryAt.rawValue,
            detail: "Spotify did not say which account you signed in with, so Backline cannot tell whether it is the "
                + "connected one. Nothing has changed. Try again in a moment.",
            retryAt: trouble?.until.map { $0.microseconds / 1_000_000 })
    }

    static let questionExpired = failed(
        "questionExpired", .reconnect,
        "This question is no longer open. Nothing has changed. Connect Spotify again, and answer the new question.")
}
