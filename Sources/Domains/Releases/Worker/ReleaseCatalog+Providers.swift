import AppleMusic
import Model
import Releases
import Spotify
import Workers

extension ReleaseCatalog {
    /// Pages have ten albums. Few artists have more than these.
    private static let mostSpotifyPages = 40
    /// Pages have a hundred albums.
    private static let mostAppleMusicPages = 10

    /// Spotify, with the connection of a person: it answers nobody else.
    static func spotify(_ spotify: SpotifyProvider, userID: String) -> ReleaseCatalog {
        ReleaseCatalog(
            source: .spotify, mostPages: mostSpotifyPages,
            find: { name in
                // Spotify refuses longer queries.
                let text = String(String.UnicodeScalarView(name.unicodeScalars.prefix(200)))
                return try await spotify.call(userID: userID, urgency: .background) {
                    try await $0.search(text, types: [.artist], offset: 0).artists?.items ?? []
                }
            },
            albums: { artist, offset in
                try await spotify.call(userID: userID, urgency: .background) {
                    try await $0.albums(ofArtist: artist, offset: offset)
                }
            })
    }

    /// Apple Music, with the installation's developer key, or with that of the person.
    static func appleMusic(_ appleMusic: AppleMusicProvider, country: String, userID: String) -> ReleaseCatalog {
        @Sendable func call<Value: Sendable>(
            _ body: @Sendable (AppleMusicClient) async throws -> Value
        ) async throws -> Value {
            guard appleMusic.hasInstallationKey else {
                return try await appleMusic.call(userID: userID, urgency: .background, body)
            }
            return try await appleMusic.catalogCall(urgency: .background, body)
        }
        return ReleaseCatalog(
            source: .appleMusic, country: country, mostPages: mostAppleMusicPages,
            find: { name in try await call { try await $0.searchArtists(name, storefront: country) } },
            albums: { artist, offset in
                try await call { try await $0.albums(ofArtist: artist, offset: offset, storefront: country) }
            })
    }
}
