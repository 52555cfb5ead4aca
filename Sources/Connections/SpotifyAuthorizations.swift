import Contracts
import Foundation
import Model
import Storage
import Vault

/// Connecting Spotify: the authorization code flow with PKCE, from its beginning to the code's arrival.
package struct SpotifyAuthorizations: Sendable {
    /// How long a person may take at Spotify, and a code may wait for its exchange.
    package static let lifetime = Duration.seconds(600)
    /// Attempts of one person that may be under way.
    static let maximumCount = 20

    private let sealer: any SecretSealer
    private let clientID: String
    private let accountsURL: String

    /// - Parameters:
    ///   - sealer: seals verifiers and codes for the worker that exchanges them.
    ///   - accountsURL: the base URL of Spotify's accounts service, to which browsers are sent.
    package init(sealer: any SecretSealer, clientID: String, accountsURL: String) {
        self.sealer = sealer
        self.clientID = clientID
        self.accountsURL = accountsURL
    }

    /// Who began an attempt, and alone may finish it.
    package struct Initiator: Sendable, Equatable {
        package var userID: String
        /// Of the session; `nil` for somebody who came with a token.
        package var sessionHash: String?

        package init(userID: String, sessionHash: String?) {
            self.userID = userID
            self.sessionHash = sessionHash
        }
    }

    /// An attempt that has begun.
    package struct Attempt: Sendable {
        /// Where the person's browser is to go.
        package let authorizeURL: String
        package let expiresAt: Timestamp
    }

    // MARK: Beginning

    /// Writes an attempt down.
    ///
    /// - Parameters:
    ///   - scopes: what is asked for.
    ///   - returnTo: the page that the person goes back to.
    /// - Returns: `nil` when too many of the person's are under way.
    /// - Throws: ``VaultError``, when nothing can be sealed; ``StorageError``.
    package func begin(
        by initiator: Initiator, redirectURI: String, scopes: [String], returnTo: String?,
        in transaction: WriteTransaction, now: Timestamp = .now()
    ) throws -> Attempt? {
        let (userID, provider) = (initiator.userID, CredentialProvider.spotify)
        let (id, state, verifier) = (UUIDv7.next(), AuthorizationSecrets.random(), AuthorizationSecrets.random())
        let record = AuthorizationRecord(
            stateHash: AuthorizationSecrets.hash(ofState: state), id: id, userID: userID,
            sessionHash: initiator.sessionHash, provider: provider.rawValue, redirectURI: redirectURI,
            scopes: scopes.joined(separator: " "),
            verifier: try sealer.seal(verifier, as: AuthorizationField.verifier(id, userID: userID), in: transaction),
            returnTo: returnTo, createdAt: now, expiresAt: now.advanced(by: Self.lifetime))
        let count = try transaction.vault.authorizationCount(
            userID: userID, provider: provider.rawValue, now: now)
        guard count < Self.maximumCount else { return nil }
        try transaction.vault.insertAuthorization(record)
        try transaction.connections.handle(
            .authorizationBegan(until: record.expiresAt), userID: userID, provider: provider, now: now)
        return Attempt(
            authorizeURL: authorizeURL(record, state: state, verifier: verifier), expiresAt: record.expiresAt)
    }

    private func authorizeURL(_ record: AuthorizationRecord, state: Secret, verifier: Secret) -> String {
        let parameters = [
            ("client_id", clientID), ("response_type", "code"), ("redirect_uri", record.redirectURI),
            ("scope", record.scopes), ("state", state.reveal()), ("code_challenge_method", "S256"),
            ("code_challenge", AuthorizationSecrets.challenge(of: verifier)),
        ]
        let query = parameters.map { "\($0.0)=\($0.1.percentEncoded)" }.joined(separator: "&")
        return "\(accountsURL)/authorize?\(query)"
    }

    // MARK: Coming back

    /// The attempt that a state belongs to; `nil` for one that is unknown, over, used, or somebody else's.
    package static func find(
        state: Secret, by initiator: Initiator, in reader: some SQLReader, now: Timestamp = .now()
    ) throws -> AuthorizationRecord? {
        guard let found = try reader.vault.authorization(stateHash: AuthorizationSecrets.hash(ofState: state)),
            found.provider == CredentialProvider.spotify.rawValue, found.userID == initiator.userID,
            found.sessionHash == initiator.sessionHash, found.code == nil, found.expiresAt > now
        else { return nil }
        return found
    }

    /// The code as it waits for its exchange.
    package func seal(
        code: Secret, of attempt: AuthorizationRecord, in transaction: WriteTransaction
    ) throws -> SealedSecret {
        try sealer.seal(code, as: AuthorizationField.code(attempt.id, userID: attempt.userID ?? ""), in: transaction)
    }

    /// Ends an attempt without a connection.
    package static func fail(attemptID: String, userID: String, in transaction: WriteTransaction) throws {
        guard try transaction.vault.deleteAuthorization(id: attemptID) else { return }
        try transaction.connections.handle(.authorizationFailed, userID: userID, provider: .spotify, now: .now())
    }

    // MARK: The end of a connection

    /// Forgets a person's tokens, account and attempts at once.
    package static func disconnect(userID: String, in transaction: WriteTransaction) throws {
        try transaction.vault.deleteAuthorizations(userID: userID, provider: CredentialProvider.spotify.rawValue)
        try transaction.connections.handle(.disconnected, userID: userID, provider: .spotify, now: .now())
    }
}

/// The secrets of an attempt, each bound to that attempt.
enum AuthorizationField {
    static func verifier(_ id: String, userID: String) -> SecretName {
        SecretName(userID: userID, provider: .spotify, field: "verifier \(id)")
    }

    static func code(_ id: String, userID: String) -> SecretName {
        SecretName(userID: userID, provider: .spotify, field: "code \(id)")
    }
}
