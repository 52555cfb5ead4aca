import Bootstrap
import LinkedAccounts
import Model
import Spotify
import Upstream
import Vault

/// Spotify, with the installation's client id, for all people.
package struct SpotifyProvider: OpenedProvider {
    let clientID: String
    /// The token endpoint. Errors are ``ProviderFailure``.
    let accounts: Accounts
    private let tokens: TokenKeeper
    private let send: SpotifyAccountsClient.Send
    private let quickSend: SpotifyAccountsClient.Send

    /// Logs why a person's secrets cannot be used.
    let onVaultTrouble: @Sendable (VaultError) -> Void

    struct Accounts: Sendable {
        fileprivate let client: SpotifyAccountsClient

        func exchange(code: Secret, redirectURI: String, verifier: Secret) async throws -> ConnectionTokens {
            try await ProviderFailure.translating(.spotify) {
                ConnectionTokens(try await client.exchange(code: code, redirectURI: redirectURI, verifier: verifier))
            }
        }

        fileprivate func refresh(_ token: Secret, _ gate: RefreshSendGate) async throws -> ConnectionTokens {
            try await ProviderFailure.translating(.spotify) {
                ConnectionTokens(try await client.refresh(token, maySend: { gate.markSent() }))
            }
        }
    }

    fileprivate init(clientID: String, providers: ProviderSet, runtime: UpstreamRuntime) throws {
        // Spotify limits the app, not each person: requests are counted, and pauses apply, by client id.
        func client(_ name: UpstreamName, _ policy: RetryPolicy, timeout: Duration? = nil) throws -> UpstreamClient {
            try providers.calls(name, by: runtime, timeout: timeout, classify: { SpotifyVerdict.classify($0) })(
                Secret(clientID), policy)
        }
        self.clientID = clientID
        let accountsCalls = try client(.spotifyAccounts, RetryPolicy(maximumAttempts: 2, waitLimit: .seconds(10)))
        let calls = try client(.spotify, RetryPolicy(waitLimit: .seconds(60)))
        let quickCalls = try client(
            .spotify, RetryPolicy(maximumAttempts: 1, waitLimit: .seconds(2)), timeout: .seconds(4))
        let accounts = Accounts(client: SpotifyAccountsClient(clientID: clientID) { try await accountsCalls.send($0) })
        self.accounts = accounts
        send = { try await calls.send($0) }
        quickSend = { try await quickCalls.send($0) }
        onVaultTrouble = { [logger = providers.logger] error in
            logger.warning("a person's Spotify secrets cannot be used", metadata: ["error": "\(error)"])
        }
        tokens = TokenKeeper(
            provider: .spotify, clientID: clientID, database: providers.database, vault: providers.vault,
            refresh: { try await accounts.refresh($0, $1) }, onVaultTrouble: onVaultTrouble,
            atMoment: TokenMoment.dyingInTests())
    }

    /// Makes a call for a person, with their access token (``TokenKeeper/call(userID:scopes:_:)``).
    ///
    /// - Parameters:
    ///   - scopes: the scopes that the call needs. If one of them was not granted, nothing is sent.
    ///   - urgency: whether somebody waits for it.
    /// - Throws: ``ProviderFailure``. Answers that the call expects are values (``SpotifyClient/Answer``).
    package func call<Value: Sendable>(
        userID: String, scopes: [String] = [], urgency: UpstreamRequest.Urgency = .interactive,
        _ body: (SpotifyClient) async throws -> Value
    ) async throws -> Value {
        let sending: SpotifyAccountsClient.Send = { [send] request in
            var request = request
            request.urgency = urgency
            return try await send(request)
        }
        return try await tokens.call(userID: userID, scopes: scopes) { accessToken in
            try await ProviderFailure.translating(.spotify) {
                try await body(SpotifyClient(accessToken: accessToken, send: sending))
            }
        }
    }

    /// Makes a call with a token that belongs to no connection yet, within 4 s, since somebody waits in front of a
    /// page.
    func quickCall<Value: Sendable>(
        accessToken: Secret, _ body: (SpotifyClient) async throws -> Value
    ) async throws -> Value {
        try await ProviderFailure.translating(.spotify) {
            try await body(SpotifyClient(accessToken: accessToken, send: quickSend))
        }
    }

    var unfinishedUntil: MonotonicInstant? { tokens.refreshesEnd }

    /// See ``TokenKeeper/finish(by:)``.
    func finish(by deadline: MonotonicInstant) async {
        await tokens.finish(by: deadline)
    }
}

extension ProviderSet {
    /// - Returns: `nil` when no client id is configured.
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    package func spotify() throws -> SpotifyProvider? {
        guard let clientID = configuration.spotify.clientID else { return nil }
        return try opened { try SpotifyProvider(clientID: clientID, providers: self, runtime: $0) }
    }
}

extension ConnectionTokens {
    fileprivate init(_ tokens: SpotifyAccountsClient.Tokens) {
        self.init(
            accessToken: tokens.accessToken, expiresAt: .now().advanced(by: tokens.lifetime),
            refreshToken: tokens.refreshToken, scopes: tokens.scopes)
    }
}
