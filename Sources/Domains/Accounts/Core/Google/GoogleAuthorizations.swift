import Contracts
import Model
import Storage
import Vault

/// Signing in with Google in a browser (OpenID Connect Core 1.0, section 3.1), on the gateway's side: starting attempts
/// and accepting their codes.
package struct GoogleAuthorizations: Sendable {
    /// The most attempts of the whole installation that may be under way. They are anonymous, so a limit that refuses
    /// new ones would refuse everybody. The oldest are deleted instead.
    package static let maximumCount = 50_000

    private let flow: AuthorizationFlow

    /// - Parameter sealer: seals verifiers and codes for the worker that exchanges them.
    package init(sealer: any SecretSealer, clientID: String) {
        flow = AuthorizationFlow(provider: .google, clientID: clientID, sealer: sealer)
    }

    /// Starts an attempt and stores it.
    ///
    /// - Parameters:
    ///   - endpoint: Google's authorization endpoint.
    ///   - browser: the browser that alone may finish the attempt.
    ///   - returnTo: the path of the page to which the person returns.
    /// - Throws: ``VaultError`` when the verifier cannot be sealed; `StorageError`.
    package func begin(
        endpoint: String, browser: SignInBrowser, redirectURI: String, returnTo: String?,
        in transaction: WriteTransaction, now: Timestamp = .now()
    ) throws -> AuthorizationFlow.Attempt {
        let request = AuthorizationFlow.Request(
            endpoint: endpoint, redirectURI: redirectURI, scopes: "openid email profile",
            nonce: AuthorizationSecrets.random().reveal(),
            // People who share a computer have accounts of their own.
            parameters: [("prompt", "select_account")], returnTo: returnTo)
        return try flow.begin(request, by: Self.initiator(browser), in: transaction, now: now)
    }

    /// The attempt that a state belongs to; see ``AuthorizationFlow/find(state:of:by:in:now:)``.
    package static func find(
        state: Secret, browser: SignInBrowser, in reader: some SQLReader, now: Timestamp = .now()
    ) throws -> AuthorizationRecord? {
        try AuthorizationFlow.find(state: state, of: .google, by: initiator(browser), in: reader, now: now)
    }

    /// Stores the code of an attempt; see ``AuthorizationFlow/accept(code:of:in:now:)``.
    package func accept(
        code: Secret, of attempt: AuthorizationRecord, in transaction: WriteTransaction
    ) throws -> Bool {
        try flow.accept(code: code, of: attempt, in: transaction)
    }

    /// Nobody is signed in yet.
    private static func initiator(_ browser: SignInBrowser) -> AuthorizationFlow.Initiator {
        .init(userID: nil, browserHash: browser.hash)
    }
}
