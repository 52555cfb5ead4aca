/// An artist. Objects that refer to an artist have the name only.
struct SpotifyArtistDocument: Encodable {
    var name: String
    var genres: [String]?
    var images: [SpotifyImageDocument]?
    var followers: SpotifyFollowersDocument?
    var popularity: Int?
}

extension SpotifyDocuments {
    func id(ofArtist artist: Int) -> String { catalog.spotifyID(.artist, UInt64(artist)) }

    /// The full object; in development mode without `followers` and `popularity`, and with no genres.
    func artist(_ artist: Int) -> SpotifyObject<SpotifyArtistDocument> {
        let isLegacy = mode == .legacy
        let popularity = catalog.draw(artist, .popularity)
        return object(
            artist,
            SpotifyArtistDocument(
                name: catalog.name(ofArtist: artist, on: .spotify),
                genres: isLegacy ? [catalog.genre(ofArtist: artist).lowercased()] : [],
                images: images("artist", artist, sizes: [640, 320, 160]),
                followers: isLegacy ? SpotifyFollowersDocument(total: Int(popularity % 5_000_000)) : nil,
                popularity: isLegacy ? Int(popularity % 90) : nil))
    }

    /// The artists as other objects name them.
    func simplifiedArtists(_ artists: [Int]) -> [SpotifyObject<SpotifyArtistDocument>] {
        artists.map { object($0, SpotifyArtistDocument(name: catalog.name(ofArtist: $0, on: .spotify))) }
    }

    private func object(_ artist: Int, _ document: SpotifyArtistDocument) -> SpotifyObject<SpotifyArtistDocument> {
        SpotifyObject("artist", id: id(ofArtist: artist), document)
    }
}
