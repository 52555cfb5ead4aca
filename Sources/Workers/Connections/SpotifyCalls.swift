import Connections
import Contracts
import Model
import Spotify
import Storage
import Vault

/// What connecting needs of Spotify.
package struct SpotifyCalls: Sendable {
    let exchange: SpotifyExchange
    private let spotify: SpotifyProvider
    private let database: Database

    init(_ spotify: SpotifyProvider, process: WorkerProcess) {
        self.spotify = spotify
        database = process.database
        exchange = SpotifyExchange(
            database: process.database, vault: process.vault,
            redeem: { code, redirectURI, verifier in
                try await spotify.accounts.exchange(code: code, redirectURI: redirectURI, verifier: verifier)
            },
            // An account is connected without its name, too.
            account: { accessToken in
                try await spotify.quickCall(accessToken: accessToken) { SpotifyExchange.Account(try await $0.me()) }
            },
            onVaultTrouble: spotify.onVaultTrouble)
    }

    /// Whose account a person has connected, and when they did.
    func account(userID: String) async throws -> (account: SpotifyExchange.Account, authorizedAt: Timestamp?) {
        // Read before the token: a connection that is made between the two is not taken for the one that is asked of.
        let record = try await database.read { reader in
            try reader.connections.record(userID: userID, provider: CredentialProvider.spotify.rawValue)
        }
        let scopes = TypedJobKind.spotifyProfile.kind.scopes(at: .spotify)
        // The connection stands without it.
        let account = try await spotify.call(userID: userID, scopes: scopes, urgency: .background) {
            SpotifyExchange.Account(try await $0.me())
        }
        return (account, record?.authorizedAt)
    }
}

extension SpotifyExchange.Account {
    fileprivate init(_ profile: SpotifyClient.Profile) {
        self.init(id: profile.id, name: profile.name)
    }
}
