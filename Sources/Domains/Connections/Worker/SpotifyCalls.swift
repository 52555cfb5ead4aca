import Connections
import Model
import Spotify
import Workers

/// The calls to Spotify that connecting needs.
package struct SpotifyCalls: Sendable {
    let exchange: SpotifyExchange

    init(_ spotify: SpotifyProvider, process: WorkerProcess) {
        exchange = SpotifyExchange(
            database: process.database, vault: process.vault, clientID: spotify.clientID,
            redeem: { code, clientID, redirectURI, verifier in
                try await spotify.exchange(
                    code: code, clientID: clientID, redirectURI: redirectURI, verifier: verifier)
            },
            // A connection can be made even if the account's name cannot be read.
            account: { accessToken, clientID in
                try await spotify.quickCall(accessToken: accessToken, clientID: clientID) {
                    SpotifyAccount(try await $0.me())
                }
            },
            onVaultTrouble: spotify.onVaultTrouble)
    }
}
