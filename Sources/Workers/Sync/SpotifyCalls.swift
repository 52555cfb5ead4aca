import Bootstrap
import Connections
import Contracts
import Model
import Spotify
import Storage
import Upstream
import Vault

/// What a sync-worker does at Spotify, for all its people, with the installation's client id.
package struct SpotifyCalls: Sendable {
    let exchange: SpotifyExchange
    let tokens: TokenKeeper
    private let database: Database
    private let send: SpotifyAccountsClient.Send

    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    package init(clientID: String, runtime: UpstreamRuntime, process: WorkerProcess) throws {
        database = process.database
        // The limit is the app's, not each person's: the client id is what is counted and paused.
        func client(
            _ name: UpstreamName, _ policy: RetryPolicy, timeout: Duration? = nil
        ) throws -> UpstreamClient {
            try process.upstreamCalls(
                name, runtime: runtime, timeout: timeout, classify: { SpotifyVerdict.classify($0) })(
                    Secret(clientID), policy)
        }
        let accountsCalls = try client(.spotifyAccounts, RetryPolicy(maximumAttempts: 2, patience: .seconds(10)))
        let calls = try client(.spotify, RetryPolicy(patience: .seconds(60)))
        // Somebody waits in front of a page while an account is connected, and is connected without its name, too.
        let quickCalls = try client(
            .spotify, RetryPolicy(maximumAttempts: 1, patience: .seconds(2)), timeout: .seconds(4))
        let accounts = SpotifyAccountsClient(clientID: clientID) { try await accountsCalls.send($0) }
        send = { try await calls.send($0) }
        let onVaultTrouble: @Sendable (VaultError) -> Void = { [logger = process.logger] error in
            logger.warning("a person's Spotify secrets cannot be used", metadata: ["error": "\(error)"])
        }
        exchange = SpotifyExchange(
            database: process.database, vault: process.vault,
            redeem: { code, redirectURI, verifier in
                try await ConnectionFailure.translating {
                    ConnectionTokens(
                        try await accounts.exchange(code: code, redirectURI: redirectURI, verifier: verifier))
                }
            },
            account: { accessToken in
                let client = SpotifyClient(accessToken: accessToken) { try await quickCalls.send($0) }
                return try await ConnectionFailure.translating { SpotifyExchange.Account(try await client.me()) }
            },
            onVaultTrouble: onVaultTrouble)
        tokens = TokenKeeper(
            provider: .spotify, serviceName: "Spotify", database: process.database, vault: process.vault,
            refresh: { refreshToken, departure in
                try await ConnectionFailure.translating {
                    ConnectionTokens(try await accounts.refresh(refreshToken, mayLeave: { departure.leave() }))
                }
            },
            onVaultTrouble: onVaultTrouble, atMoment: TokenMoment.dyingInTests())
    }

    /// Before the process ends: see ``TokenKeeper/finish(by:)``.
    package func finish(by deadline: MonotonicInstant) async {
        await tokens.finish(by: deadline)
    }

    /// Whose account a person has connected, and when they did.
    func account(userID: String) async throws -> (account: SpotifyExchange.Account, authorizedAt: Timestamp?) {
        // Read before the token: a connection that is made between the two is not taken for the one that is asked of.
        let record = try await database.read { reader in
            try reader.connections.record(userID: userID, provider: CredentialProvider.spotify.rawValue)
        }
        let scopes = TypedJobKind.spotifyProfile.kind.scopes(at: .spotify)
        let account = try await tokens.call(userID: userID, scopes: scopes) { accessToken in
            let client = SpotifyClient(accessToken: accessToken, send: send)
            return try await ConnectionFailure.translating { SpotifyExchange.Account(try await client.me()) }
        }
        return (account, record?.authorizedAt)
    }
}

extension ConnectionTokens {
    fileprivate init(_ tokens: SpotifyAccountsClient.Tokens) {
        self.init(
            accessToken: tokens.accessToken, expiresAt: .now().advanced(by: tokens.lifetime),
            refreshToken: tokens.refreshToken, scopes: tokens.scopes)
    }
}

extension SpotifyExchange.Account {
    fileprivate init(_ profile: SpotifyClient.Profile) {
        self.init(id: profile.id, name: profile.name)
    }
}
