import Connections
import Contracts
import Model
import Spotify
import Storage

extension SpotifyProvider {
    /// The id of the Spotify account that a person has connected. Spotify is asked only while it is unknown, and the
    /// answer is stored.
    ///
    /// - Throws: ``ProviderFailure``; what the database throws.
    package func accountID(userID: String) async throws -> String {
        let record = try await database.read { reader in
            try reader.connections.record(userID: userID, provider: Provider.spotify.rawValue)
        }
        if let known = record?.accountID { return known }
        let (account, authorizedAt) = try await self.account(userID: userID)
        try await database.write { try account.store(userID: userID, authorizedAt: authorizedAt, in: $0) }
        return account.id
    }

    /// The Spotify account that a person has connected, and when they connected it.
    package func account(userID: String) async throws -> (account: SpotifyAccount, authorizedAt: Timestamp?) {
        // Read before the token, so that a connection made in between is not mistaken for the token's.
        let record = try await database.read { reader in
            try reader.connections.record(userID: userID, provider: Provider.spotify.rawValue)
        }
        let scopes = TypedJobKind.spotifyProfile.kind.scopes(at: .spotify)
        // Nobody waits for the name.
        let account = try await call(userID: userID, scopes: scopes, urgency: .background) {
            SpotifyAccount(try await $0.me())
        }
        return (account, record?.authorizedAt)
    }
}

extension SpotifyAccount {
    package init(_ profile: SpotifyClient.Profile) {
        self.init(
            accountID: profile.accountID, spotifyUserID: profile.id, name: profile.name, country: profile.country)
    }
}
