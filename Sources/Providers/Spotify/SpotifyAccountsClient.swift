import Model
import Upstream

/// The token endpoint of Spotify's accounts service, as apps without a secret use it (authorization code with PKCE).
///
/// It does no I/O of its own: permits, retries and the connection belong to the closure it is given. Errors are
/// ``SpotifyError``, or what that closure throws.
package struct SpotifyAccountsClient: Sendable {
    package typealias Send = @Sendable (UpstreamRequest) async throws -> UpstreamResponse

    private let clientID: String
    private let send: Send

    package init(clientID: String, send: @escaping Send) {
        self.clientID = clientID
        self.send = send
    }

    /// What the token endpoint gives.
    package struct Tokens: Sendable, Equatable {
        package var accessToken: Secret
        /// From its arrival on.
        package var lifetime: Duration
        /// Of a refresh: `nil` when the one before it stays good, else that one may be dead.
        package var refreshToken: Secret?
        /// What was granted, which may be less than was asked for; `nil` when the answer does not say.
        package var scopes: [String]?

        package init(accessToken: Secret, lifetime: Duration, refreshToken: Secret?, scopes: [String]?) {
            self.accessToken = accessToken
            self.lifetime = lifetime
            self.refreshToken = refreshToken
            self.scopes = scopes
        }
    }

    /// Redeems a code, which works once.
    ///
    /// - Parameter redirectURI: the very one that the code was asked for with.
    package func exchange(code: Secret, redirectURI: String, verifier: Secret) async throws -> Tokens {
        try await token([
            ("grant_type", "authorization_code"), ("code", code.reveal()), ("redirect_uri", redirectURI),
            ("client_id", clientID), ("code_verifier", verifier.reveal()),
        ])
    }

    /// Gets a new access token. It is never sent twice: where refresh tokens rotate, the second would end the first.
    ///
    /// - Parameter mayLeave: see ``UpstreamRequest/mayLeave``.
    package func refresh(
        _ refreshToken: Secret, mayLeave: (@Sendable () -> Bool)? = nil
    ) async throws -> Tokens {
        try await token(
            [("grant_type", "refresh_token"), ("refresh_token", refreshToken.reveal()), ("client_id", clientID)],
            mayLeave: mayLeave)
    }

    private func token(
        _ form: [(name: String, value: String)], mayLeave: (@Sendable () -> Bool)? = nil
    ) async throws -> Tokens {
        var request = UpstreamRequest.form(path: "/api/token", form)
        request.mayLeave = mayLeave
        let response = try await send(request)
        guard response.isSuccess else { throw response.tokenError() }
        let answer = try response.requireJSON(TokenResponse.self)
        guard let accessToken = answer.accessToken, !accessToken.isEmpty else {
            throw SpotifyError.invalidResponse(reason: "it holds no access token")
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
