/// A file on the person's own computer: nothing about it has an id.
struct SpotifyLocalTrackDocument: Encodable {
    struct Album: Encodable {
        let albumType = JSONNull()
        let artists: [String] = []
        let availableMarkets: [String]?
        let externalURLs: [String: String] = [:]
        let href = JSONNull()
        let id = JSONNull()
        let images: [String] = []
        let name: String
        let releaseDate = JSONNull()
        let releaseDatePrecision = JSONNull()
        let type = "album"
        let uri = JSONNull()

        enum CodingKeys: String, CodingKey {
            case albumType = "album_type"
            case artists
            case availableMarkets = "available_markets"
            case externalURLs = "external_urls"
            case href, id, images, name
            case releaseDate = "release_date"
            case releaseDatePrecision = "release_date_precision"
            case type, uri
        }
    }

    struct Artist: Encodable {
        let externalURLs: [String: String] = [:]
        let href = JSONNull()
        let id = JSONNull()
        let name = "The Garage Years"
        let type = "artist"
        let uri = JSONNull()

        enum CodingKeys: String, CodingKey {
            case externalURLs = "external_urls"
            case href, id, name, type, uri
        }
    }

    let album: Album
    let artists = [Artist()]
    let availableMarkets: [String]?
    let discNumber = 0
    let durationMs = 201_000
    let explicit = false
    let externalIDs: [String: String] = [:]
    let externalURLs: [String: String] = [:]
    let href = JSONNull()
    let id = JSONNull()
    let isLocal = true
    let name: String
    let popularity: Int?
    let previewURL = JSONNull()
    let trackNumber = 0
    let type = "track"
    let uri: String

    enum CodingKeys: String, CodingKey {
        case album, artists
        case availableMarkets = "available_markets"
        case discNumber = "disc_number"
        case durationMs = "duration_ms"
        case explicit
        case externalIDs = "external_ids"
        case externalURLs = "external_urls"
        case href, id
        case isLocal = "is_local"
        case name, popularity
        case previewURL = "preview_url"
        case trackNumber = "track_number"
        case type, uri
    }

    fileprivate init(_ number: Int, mode: SpotifySettings.Mode) {
        availableMarkets = mode == .legacy ? [] : nil
        album = Album(availableMarkets: availableMarkets, name: "Tape \(number)")
        name = "Rehearsal \(number)"
        popularity = mode == .legacy ? 0 : nil
        uri = "spotify:local:The+Garage+Years:Tape+\(number):Rehearsal+\(number):201"
    }
}

extension SpotifyDocuments {
    func localTrack(_ number: Int) -> SpotifyLocalTrackDocument { SpotifyLocalTrackDocument(number, mode: mode) }
}
