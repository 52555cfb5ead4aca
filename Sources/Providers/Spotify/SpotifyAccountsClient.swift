import Model
import Upstream

/// The token endpoint of Spotify's accounts service, for apps without a secret (authorization code with PKCE).
///
/// It does no I/O: the `send` closure handles permits, retries and the connection. Errors are ``SpotifyError``, or
/// those of `send`.
package struct SpotifyAccountsClient: Sendable {
    package typealias Send = @Sendable (UpstreamRequest) async throws -> UpstreamResponse

    private let clientID: String
    private let send: Send

    package init(clientID: String, send: @escaping Send) {
        self.clientID = clientID
        self.send = send
    }

    /// An answer of the token endpoint.
    package struct Tokens: Sendable, Equatable {
        package var accessToken: Secret
        /// Counted from the arrival of the answer.
        package var lifetime: Duration
        /// After a refresh, `nil` if the previous one stays valid. Otherwise the previous one may be revoked.
        package var refreshToken: Secret?
        /// The granted scopes, which may be fewer than asked for; `nil` when the answer does not name them.
        package var scopes: [String]?

        package init(accessToken: Secret, lifetime: Duration, refreshToken: Secret?, scopes: [String]?) {
            self.accessToken = accessToken
            self.lifetime = lifetime
            self.refreshToken = refreshToken
            self.scopes = scopes
        }
    }

    /// Exchanges a code, which can be used once.
    ///
    /// - Parameter redirectURI: identical to that of the authorization request.
    package func exchange(code: Secret, redirectURI: String, verifier: Secret) async throws -> Tokens {
        try await token([
            ("grant_type", "authorization_code"), ("code", code.reveal()), ("redirect_uri", redirectURI),
            ("client_id", clientID), ("code_verifier", verifier.reveal()),
        ])
    }

    /// Gets a new access token. The request is never sent twice: with rotating refresh tokens, the second one would
    /// revoke the result of the first.
    ///
    /// - Parameter maySend: see ``UpstreamRequest/maySend``.
    package func refresh(
        _ refreshToken: Secret, maySend: (@Sendable () -> Bool)? = nil
    ) async throws -> Tokens {
        try await token(
            [("grant_type", "refresh_token"), ("refresh_token", refreshToken.reveal()), ("client_id", clientID)],
            maySend: maySend)
    }

    private func token(
        _ form: [(name: String, value: String)], maySend: (@Sendable () -> Bool)? = nil
    ) async throws -> Tokens {
        var request = UpstreamRequest.form(path: "/api/token", form)
        request.maySend = maySend
        let response = try await send(request)
        guard response.isSuccess else { throw response.tokenError() }
        let answer = try response.requireJSON(TokenResponse.self)
        guard let accessToken = answer.accessToken, !accessToken.isEmpty else {
            throw SpotifyError.invalidResponse(reason: "it has no access token")
        }
        return Tokens(
            accessToken: Secret(accessToken), lifetime: .seconds(max(0, min(answer.expiresIn ?? 3_600, 86_400))),
            refreshToken: answer.refreshToken.flatMap { $0.isEmpty ? nil : Secret($0) },
            scopes: answer.scope.map { $0.split(separator: " ").map(String.init) })
    }
}

private struct TokenResponse: Decodable {
    var accessToken: String?
    var expiresIn: Int?
    var refreshToken: String?
    var scope: String?

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case scope
    }
}
