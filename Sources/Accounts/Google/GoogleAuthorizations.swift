import Contracts
import Foundation
import Model
import Storage
import Vault

/// Signing in with Google in a browser: the authorization code flow with PKCE (OpenID Connect Core 1.0, section 3.1,
/// and RFC 7636), from its beginning to the code's arrival.
package struct GoogleAuthorizations: Sendable {
    /// How long a person may take at Google, and a code may wait for its exchange.
    package static let lifetime = Duration.seconds(600)

    /// How many may be under way at once. Nothing tells those who begin apart, so that whoever begins without end is
    /// not refused, which would refuse everybody: the oldest attempts go.
    package static let maximumCount = 50_000

    private let sealer: any SecretSealer
    private let clientID: String

    /// - Parameter sealer: seals verifiers and codes for the worker that exchanges them.
    package init(sealer: any SecretSealer, clientID: String) {
        self.sealer = sealer
        self.clientID = clientID
    }

    // MARK: Beginning

    /// Writes an attempt down.
    ///
    /// - Parameters:
    ///   - endpoint: Google's authorization endpoint.
    ///   - browser: alone may finish it.
    ///   - returnTo: the page that the person goes to.
    /// - Returns: where the person's browser is to go.
    /// - Throws: `VaultError`, when nothing can be sealed; `StorageError`.
    package func begin(
        endpoint: String, browser: SignInBrowser, redirectURI: String, returnTo: String?,
        in transaction: WriteTransaction, now: Timestamp = .now()
    ) throws -> String {
        let (id, state, verifier) = (UUIDv7.next(), AuthorizationSecrets.random(), AuthorizationSecrets.random())
        let nonce = AuthorizationSecrets.random().reveal()
        let record = AuthorizationRecord(
            stateHash: AuthorizationSecrets.hash(ofState: state), id: id, userID: nil, sessionHash: browser.hash,
            provider: CredentialProvider.google.rawValue, redirectURI: redirectURI, scopes: "openid email profile",
            nonce: nonce, verifier: try sealer.seal(verifier, as: GoogleSignInSecret.verifier(id), in: transaction),
            returnTo: returnTo, createdAt: now, expiresAt: now.advanced(by: Self.lifetime))
        try transaction.vault.insertAuthorization(record)
        let parameters = [
            ("client_id", clientID), ("response_type", "code"), ("redirect_uri", redirectURI),
            ("scope", record.scopes), ("state", state.reveal()), ("nonce", nonce), ("code_challenge_method", "S256"),
            ("code_challenge", AuthorizationSecrets.challenge(of: verifier)),
            // People who share a machine have accounts of their own.
            ("prompt", "select_account"),
        ]
        let query = parameters.map { "\($0.0)=\($0.1.percentEncoded)" }.joined(separator: "&")
        return endpoint + "?" + query
    }

    // MARK: Coming back

    /// The attempt that a state belongs to; `nil` for one that is unknown, over, used, or another browser's.
    package static func find(
        state: Secret, browser: SignInBrowser, in reader: some SQLReader, now: Timestamp = .now()
    ) throws -> AuthorizationRecord? {
        guard let found = try reader.vault.authorization(stateHash: AuthorizationSecrets.hash(ofState: state)),
            found.provider == CredentialProvider.google.rawValue, found.sessionHash == browser.hash,
            found.code == nil, found.expiresAt > now
        else { return nil }
        return found
    }

    /// The code as it waits for its exchange.
    package func seal(
        code: Secret, of attempt: AuthorizationRecord, in transaction: WriteTransaction
    ) throws -> SealedSecret {
        try sealer.seal(code, as: GoogleSignInSecret.code(attempt.id), in: transaction)
    }
}
