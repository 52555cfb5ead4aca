import Concerts
import Gateway
import Model

/// Artists in requests.
enum ArtistRequest {
    /// The most genres of an artist, and their longest name in Unicode scalars.
    private static let genreLimits = (count: 20, length: 100)

    /// The members of an artist in a request: those that count, and those of answers, which are ignored.
    private static let members = ["name", "rank", "spotifyId", "picture", "genres"]
    private static let ignored = ["id", "imageURL"]

    /// The artists of an array, each a name or an object as in the answer of the list. An object's rank, if present,
    /// must be its position in the array; its id is ignored, since names identify artists.
    static func additions(in field: RequestField, pictures: PicturePaths) throws -> [ArtistList.Addition] {
        try field.array(limit: ArtistList.capacity, of: "artists").enumerated().map { index, artist in
            switch artist.node.value {
            case .object:
                let fields = try artist.object(members + ignored)
                guard let name = fields["name"] else { throw artist.refuse("the field name is missing.") }
                if let rank = fields["rank"], try rank.integer(in: 1...ArtistList.capacity) != index + 1 {
                    throw rank.refuse(
                        "artists are ranked in the order in which they are sent, and this is number \(index + 1). "
                            + "Leave rank out, or sort the artists by rank.")
                }
                return ArtistList.Addition(
                    name: try name.string(limit: ArtistName.maximumLength),
                    spotify: try spotify(
                        id: fields["spotifyId"], picture: fields["picture"], genres: fields["genres"],
                        pictures: pictures))
            default:
                return ArtistList.Addition(name: try artist.string(limit: ArtistName.maximumLength))
            }
        }
    }

    /// The body of `POST /v1/artists`.
    ///
    /// - Returns: the artist, its rank, and the field that a refusal names.
    static func addition(
        in body: RequestField, pictures: PicturePaths
    ) throws -> (artist: ArtistList.Addition, rank: Int?, field: RequestField) {
        let fields = try body.object(members)
        guard let name = fields["name"] else { throw body.refuse("the field name is missing.") }
        let artist = ArtistList.Addition(
            name: try name.string(limit: ArtistName.maximumLength),
            spotify: try spotify(
                id: fields["spotifyId"], picture: fields["picture"], genres: fields["genres"], pictures: pictures))
        return (artist, try fields["rank"]?.integer(in: 1...ArtistList.capacity), name)
    }

    /// The artist at Spotify that a request names. Without an id, the picture and genres are ignored.
    private static func spotify(
        id: RequestField?, picture: RequestField?, genres: RequestField?, pictures: PicturePaths
    ) throws -> SpotifyArtist? {
        let path = try picture?.string(limit: 8_000)
        let words = try genres?.array(limit: genreLimits.count, of: "genres").map {
            try $0.string(limit: genreLimits.length)
        }
        guard let id else { return nil }
        let text = try id.string(limit: 100)
        guard text.isSpotifyID else {
            throw id.refuse("expected a Spotify id of 22 letters and digits, found '\(text.prefix(40))'.")
        }
        return SpotifyArtist(id: text, picture: path.flatMap { pictures.spotifyPicture(at: $0) }, genres: words ?? [])
    }
}

extension PicturePaths {
    /// The picture from Spotify that a path of this site stands for, with or without a size; `nil` for any other text.
    fileprivate func spotifyPicture(at path: String) -> Picture? {
        guard path.hasPrefix(Self.prefix) else { return nil }
        let segment = path.dropFirst(Self.prefix.count).prefix { $0 != "?" }
        guard let picture = picture(of: segment),
            picture.offers.allSatisfy({ hosts.provider(of: $0.address) == .spotify })
        else { return nil }
        return picture
    }
}
