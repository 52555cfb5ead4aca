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
                ProviderFailure.Kind.accountNotAllowed, .clientRefused, .tokenRequestRefused, .secretsSealed,
                .rateLimited,
                .quotaExhausted, .serverError, .timedOut, .notReached, .unreadable,
            ].map(\.rawValue))

    /// A code that the provider refuses is mended like a refused grant: by connecting again.
    init(_ failure: ProviderFailure) {
        self.init(
            isConnected: false, code: failure.kind == .grantRefused ? "codeRefused" : failure.kind.rawValue,
            recovery: failure.recovery.rawValue, detail: failure.description,
            retryAt: failure.until.map { $0.microseconds / 1_000_000 })
    }

    /// Not a failure: the person is asked.
    ///
    /// - Parameters:
    ///   - account: the name of the account that came back.
    ///   - former: the name of the connected account.
    static func otherAccount(_ account: String, insteadOf former: String) -> AuthorizationVerdict {
        failed(
            "otherAccount", .tellUser,
            "Spotify was connected as \(former), and now \(account) came back. Nothing has changed yet: say within ten "
                + "minutes whether \(account) takes the place of \(former).")
    }

    /// - Parameter trouble: what the question for the account has met.
    static func accountUnknown(_ trouble: ProviderFailure?) -> AuthorizationVerdict {
        AuthorizationVerdict(
            isConnected: false, code: "accountUnknown", recovery: Recovery.retryAt.rawValue,
            detail: "Spotify did not say whose account came back, so that Backline cannot tell whether it is the one "
                + "that was connected. Nothing has changed. Try again in a moment.",
            retryAt: trouble?.until.map { $0.microseconds / 1_000_000 })
    }

    static let questionExpired = failed(
        "questionExpired", .reconnect,
        "This question is not open any more. Nothing has changed. Connect Spotify again to be asked anew.")
}
