import Model
import Storage

/// A row of `authorizations`: an unfinished OAuth attempt.
package struct AuthorizationRecord: Sendable, Equatable {
    /// SHA-256 of the state, in hexadecimal.
    package var stateHash: String
    package var id: String
    /// The person who started it; `nil` for a sign-in.
    package var userID: String?
    /// The hash of the session in which it was started; `nil` when it was started with a token.
    package var sessionHash: String?
    /// A `Provider`'s raw value.
    package var provider: String
    /// The client id that the attempt uses. `nil` for the installation's.
    package var clientID: String?
    package var redirectURI: String
    /// Separated by spaces.
    package var scopes: String
    package var nonce: String?
    package var verifier: SealedSecret
    /// The code from the provider's redirect; `nil` until then. Once there is a code, the state is used up.
    package var code: SealedSecret?
    /// The page to return to.
    package var returnTo: String?
    package var createdAt: Timestamp
    package var expiresAt: Timestamp

    package init(
        stateHash: String, id: String, userID: String?, sessionHash: String?, provider: String, clientID: String? = nil,
        redirectURI: String, scopes: String, nonce: String? = nil, verifier: SealedSecret, returnTo: String? = nil,
        createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.stateHash = stateHash
        self.id = id
        self.userID = userID
        self.sessionHash = sessionHash
        self.provider = provider
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.nonce = nonce
        self.verifier = verifier
        self.returnTo = returnTo
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    static let columns = SQL(
        """
        state_hash, id, user_id, session_hash, provider, client_id, redirect_uri, scopes, nonce, key_id,
        sealed_verifier, code_key_id, sealed_code, return_to, created_at, expires_at
        """)

    init(row: Row) throws {
        stateHash = try row["state_hash"]
        id = try row["id"]
        userID = try row["user_id"]
        sessionHash = try row["session_hash"]
        provider = try row["provider"]
        clientID = try row["client_id"]
        redirectURI = try row["redirect_uri"]
        scopes = try row["scopes"]
        nonce = try row["nonce"]
        verifier = SealedSecret(keyID: try row["key_id"], bytes: try row["sealed_verifier"], hint: "")
        if let keyID: String = try row["code_key_id"], let bytes: [UInt8] = try row["sealed_code"] {
            code = SealedSecret(keyID: keyID, bytes: bytes, hint: "")
        }
        returnTo = try row["return_to"]
        createdAt = try row["created_at"]
        expiresAt = try row["expires_at"]
    }
}
