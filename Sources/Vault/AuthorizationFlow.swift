import Model
import Platform
import Storage

/// The authorization code flow with PKCE (RFC 6749, section 4.1; RFC 7636) with one provider, up to the point where the
/// code waits for the worker that exchanges it.
///
/// An attempt is a row of `authorizations`. The row contains the hash of its state; the PKCE verifier and the code are
/// sealed for workers. A state is accepted once, within ten minutes, and only from the initiator of the attempt.
package struct AuthorizationFlow: Sendable {
    /// How long an attempt lasts, from its start until its code is exchanged.
    package static let lifetime = Duration.seconds(600)

    private let provider: Provider
    private let clientID: String
    private let sealer: any SecretSealer

    /// - Parameters:
    ///   - clientID: the client id at the provider that attempts use.
    ///   - sealer: seals verifiers and codes for workers.
    package init(provider: Provider, clientID: String, sealer: any SecretSealer) {
        self.provider = provider
        self.clientID = clientID
        self.sealer = sealer
    }

    /// Who starts an attempt; nobody else may finish it.
    package struct Initiator: Sendable, Equatable {
        /// `nil` while nobody is signed in.
        package var userID: String?
        /// The SHA-256 of the secret in the browser's cookie, in hexadecimal; `nil` for a request with an API token.
        package var browserHash: String?

        package init(userID: String?, browserHash: String?) {
            self.userID = userID
            self.browserHash = browserHash
        }
    }

    /// What is requested from the provider.
    package struct Request: Sendable {
        /// The provider's authorization endpoint, to which the browser is sent.
        package var endpoint: String
        package var redirectURI: String
        /// Separated by spaces.
        package var scopes: String
        /// The `nonce` of OpenID Connect, which the ID token has to repeat.
        package var nonce: String?
        /// Query parameters that only this provider has.
        package var parameters: [(name: String, value: String)]
        /// The path of the page to which the person returns.
        package var returnTo: String?

        package init(
            endpoint: String, redirectURI: String, scopes: String, nonce: String? = nil,
            parameters: [(name: String, value: String)] = [], returnTo: String?
        ) {
            self.endpoint = endpoint
            self.redirectURI = redirectURI
            self.scopes = scopes
            self.nonce = nonce
            self.parameters = parameters
            self.returnTo = returnTo
        }
    }

    /// A started attempt.
    package struct Attempt: Sendable {
        /// The address to send the person's browser to.
        package let authorizeURL: String
        package let expiresAt: Timestamp
    }

    /// Starts an attempt and stores it.
    ///
    /// - Throws: ``VaultError`` when the verifier cannot be sealed; `StorageError`.
    package func begin(
        _ request: Request, by initiator: Initiator, in transaction: WriteTransaction, now: Timestamp
    ) throws -> Attempt {
        let (id, state, verifier) = (UUIDv7.next(), AuthorizationSecrets.random(), AuthorizationSecrets.random())
        let name = AuthorizationRecord.verifierName(id: id, userID: initiator.userID, provider: provider)
        let record = AuthorizationRecord(
            stateHash: AuthorizationSecrets.hash(ofState: state), id: id, userID: initiator.userID,
            sessionHash: initiator.browserHash, provider: provider.rawValue, clientID: clientID,
            redirectURI: request.redirectURI, scopes: request.scopes, nonce: request.nonce,
            verifier: try sealer.seal(verifier, as: name, in: transaction), returnTo: request.returnTo,
            createdAt: now, expiresAt: now.advanced(by: Self.lifetime))
        try transaction.vault.insertAuthorization(record)
        var parameters: [(name: String, value: String)] = [
            ("client_id", clientID), ("response_type", "code"), ("redirect_uri", request.redirectURI),
            ("scope", request.scopes), ("state", state.reveal()), ("code_challenge_method", "S256"),
            ("code_challenge", AuthorizationSecrets.challenge(of: verifier)),
        ]
        if let nonce = request.nonce { parameters.append(("nonce", nonce)) }
        let query = (parameters + request.parameters).map { "\($0.name)=\($0.value.percentEncoded)" }
        return Attempt(
            authorizeURL: request.endpoint + "?" + query.joined(separator: "&"), expiresAt: record.expiresAt)
    }

    /// The attempt that a state belongs to; `nil` when the state is unknown, has expired or was used, or when somebody
    /// else started the attempt.
    package static func find(
        state: Secret, of provider: Provider, by initiator: Initiator, in reader: some SQLReader,
        now: Timestamp
    ) throws -> AuthorizationRecord? {
        guard let found = try reader.vault.authorization(stateHash: AuthorizationSecrets.hash(ofState: state)),
            found.provider == provider.rawValue, found.userID == initiator.userID,
            found.sessionHash == initiator.browserHash, found.code == nil, found.expiresAt > now
        else { return nil }
        return found
    }

    /// Stores the code of an attempt for the worker that exchanges it. This uses up the attempt's state.
    ///
    /// - Returns: `false` when the attempt already has a code, has expired or was deleted.
    /// - Throws: ``VaultError`` when the code cannot be sealed; `StorageError`.
    package func accept(
        code: Secret, of attempt: AuthorizationRecord, in transaction: WriteTransaction, now: Timestamp = .now()
    ) throws -> Bool {
        let name = AuthorizationRecord.codeName(id: attempt.id, userID: attempt.userID, provider: provider)
        let sealed = try sealer.seal(code, as: name, in: transaction)
        return try transaction.vault.setAuthorizationCode(sealed, id: attempt.id, now: now)
    }
}

extension AuthorizationRecord {
    /// Opens the secrets that the exchange of the code needs.
    ///
    /// - Returns: `nil` while there is no code.
    package func open(by vault: CurrentVault) throws(VaultError) -> (code: Secret, verifier: Secret)? {
        guard let provider = Provider(rawValue: provider) else { throw .doesNotOpen }
        guard let code else { return nil }
        return (
            try vault.open(code, as: Self.codeName(id: id, userID: userID, provider: provider)),
            try vault.open(verifier, as: Self.verifierName(id: id, userID: userID, provider: provider))
        )
    }

    fileprivate static func codeName(id: String, userID: String?, provider: Provider) -> SecretName {
        SecretName(userID: userID ?? "", provider: provider, field: "code \(id)")
    }

    fileprivate static func verifierName(id: String, userID: String?, provider: Provider) -> SecretName {
        SecretName(userID: userID ?? "", provider: provider, field: "verifier \(id)")
    }
}
