import Bootstrap
import Connections
import Model
import Spotify
import Storage
import Synchronization
import Upstream
import Vault

/// Spotify with one client id. Spotify limits the app, not each person: requests are counted and pauses apply per
/// client id.
struct SpotifyApp: Sendable {
    /// The token endpoint. Errors are ``ProviderFailure``.
    let accounts: Accounts
    private let tokens: TokenKeeper
    private let send: SpotifyAccountsClient.Send
    private let awaitedSend: SpotifyAccountsClient.Send
    private let quickSend: SpotifyAccountsClient.Send

    /// Makes the clients of an app, each with its client id as the credential.
    struct Calls: Sendable {
        fileprivate let accounts: @Sendable (Secret?, RetryPolicy) -> UpstreamClient
        fileprivate let webAPI: @Sendable (Secret?, RetryPolicy) -> UpstreamClient
        fileprivate let awaited: @Sendable (Secret?, RetryPolicy) -> UpstreamClient
        fileprivate let quick: @Sendable (Secret?, RetryPolicy) -> UpstreamClient

        /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
        init(providers: ProviderSet, runtime: UpstreamRuntime) throws {
            func calls(
                _ name: UpstreamName, timeout: Duration? = nil
            ) throws -> @Sendable (Secret?, RetryPolicy) -> UpstreamClient {
                try providers.calls(name, by: runtime, timeout: timeout, classify: { SpotifyVerdict.classify($0) })
            }
            accounts = try calls(.spotifyAccounts)
            webAPI = try calls(.spotify)
            awaited = try calls(.spotify, timeout: RetryPolicy.interactiveTimeout)
            quick = try calls(.spotify, timeout: .seconds(4))
        }
    }

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

    fileprivate init(
        clientID: String, calls: Calls, database: Database, vault: CurrentVault,
        onVaultTrouble: @escaping @Sendable (VaultError) -> Void
    ) {
        let credential = Secret(clientID)
        let accountsCalls = calls.accounts(
            credential, RetryPolicy(maximumAttempts: 2, waitLimit: .seconds(10)))
        let webCalls = calls.webAPI(credential, RetryPolicy(waitLimit: .seconds(60)))
        let awaitedCalls = calls.awaited(credential, .interactive)
        let quickCalls = calls.quick(credential, RetryPolicy(maximumAttempts: 1, waitLimit: .seconds(2)))
        let accounts = Accounts(client: SpotifyAccountsClient(clientID: clientID) { try await accountsCalls.send($0) })
        self.accounts = accounts
        send = { try await webCalls.send($0) }
        awaitedSend = { try await awaitedCalls.send($0) }
        quickSend = { try await quickCalls.send($0) }
        tokens = TokenKeeper(
            provider: .spotify, clientID: clientID, database: database, vault: vault,
            refresh: { try await accounts.refresh($0, $1) }, onVaultTrouble: onVaultTrouble,
            atMoment: RefreshCrashPoint.dyingInTests())
    }

    /// See ``SpotifyProvider/call(userID:scopes:urgency:isAwaited:_:)``.
    func call<Value: Sendable>(
        userID: String, scopes: [String], urgency: UpstreamRequest.Urgency, isAwaited: Bool,
        _ body: (SpotifyClient) async throws -> Value
    ) async throws -> Value {
        let sending: SpotifyAccountsClient.Send = { [send = isAwaited ? awaitedSend : send] request in
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

    /// See ``SpotifyProvider/quickCall(accessToken:clientID:_:)``.
    func quickCall<Value: Sendable>(
        accessToken: Secret, _ body: (SpotifyClient) async throws -> Value
    ) async throws -> Value {
        try await ProviderFailure.translating(.spotify) {
            try await body(SpotifyClient(accessToken: accessToken, send: quickSend))
        }
    }

    var refreshesEnd: MonotonicInstant? { tokens.refreshesEnd }

    /// See ``TokenKeeper/finish(by:)``.
    func finish(by deadline: MonotonicInstant) async {
        await tokens.finish(by: deadline)
    }
}

/// The apps that a process has made calls with: the installation's, and people's own. An app is never removed, because
/// a refresh of its tokens may be under way; it is small, and each person has at most one.
final class SpotifyAppSet: Sendable {
    private let calls: SpotifyApp.Calls
    private let database: Database
    private let vault: CurrentVault
    private let onVaultTrouble: @Sendable (VaultError) -> Void
    private let known = Mutex<[String: SpotifyApp]>([:])

    init(
        calls: SpotifyApp.Calls, database: Database, vault: CurrentVault,
        onVaultTrouble: @escaping @Sendable (VaultError) -> Void
    ) {
        self.calls = calls
        self.database = database
        self.vault = vault
        self.onVaultTrouble = onVaultTrouble
    }

    func app(_ clientID: String) -> SpotifyApp {
        known.withLock { known in
            if let app = known[clientID] { return app }
            let app = SpotifyApp(
                clientID: clientID, calls: calls, database: database, vault: vault, onVaultTrouble: onVaultTrouble)
            known[clientID] = app
            return app
        }
    }

    var all: [SpotifyApp] { known.withLock { Array($0.values) } }
}

extension ConnectionTokens {
    fileprivate init(_ tokens: SpotifyAccountsClient.Tokens) {
        self.init(
            accessToken: tokens.accessToken, expiresAt: .now().advanced(by: tokens.lifetime),
            refreshToken: tokens.refreshToken, scopes: tokens.scopes)
    }
}
