import Model

/// An artist in a person's list or in a search.
package struct RankedArtist: Hashable, Sendable, Codable {
    package var id: String
    /// The name as the person entered it.
    package var name: String
    /// The position in the list, from 1 for the favorite.
    package var rank: Int
    /// The artist at Spotify; `nil` if only the name is known. It is not part of the encoded form.
    package var spotify: SpotifyArtist? = nil

    private enum CodingKeys: String, CodingKey {
        case id, name, rank
    }

    package init(id: String, name: String, rank: Int, spotify: SpotifyArtist? = nil) {
        self.id = id
        self.name = name
        self.rank = rank
        self.spotify = spotify
    }
}

/// An artist as Spotify knows it.
package struct SpotifyArtist: Hashable, Sendable {
    package var id: String
    package var picture: Picture?
    package var genres: [String]

    package init(id: String, picture: Picture? = nil, genres: [String] = []) {
        self.id = id
        self.picture = picture
        self.genres = genres
    }
}
