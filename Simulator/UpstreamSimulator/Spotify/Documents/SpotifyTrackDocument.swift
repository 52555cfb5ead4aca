/// A track. Those in an album's list have neither album nor codes.
struct SpotifyTrackDocument: Encodable {
    struct Restrictions: Encodable {
        let reason = "market"
    }

    var album: SpotifyObject<SpotifyAlbumDocument>?
    var artists: [SpotifyObject<SpotifyArtistDocument>]
    var availableMarkets: [String]?
    let discNumber = 1
    var durationMs: Int
    var explicit: Bool
    let isLocal = false
    var isPlayable: Bool?
    var restrictions: Restrictions?
    var name: String
    let previewURL = JSONNull()
    var trackNumber: Int
    /// At most one code.
    var externalIDs: [String: String]?
    var popularity: Int?
    /// Only in playlists, as ``track``.
    var episode: Bool?
    var track: Bool?

    enum CodingKeys: String, CodingKey {
        case album, artists
        case availableMarkets = "available_markets"
        case discNumber = "disc_number"
        case durationMs = "duration_ms"
        case explicit
        case isLocal = "is_local"
        case isPlayable = "is_playable"
        case restrictions, name
        case previewURL = "preview_url"
        case trackNumber = "track_number"
        case externalIDs = "external_ids"
        case popularity, episode, track
    }
}

extension SpotifyDocuments {
    /// A track of the catalog with its album.
    ///
    /// - Parameter isItem: whether the track is in a playlist, where it has two more members.
    func track(_ entry: Entry, isItem: Bool = false) -> SpotifyObject<SpotifyTrackDocument> {
        var document = trackDocument(entry)
        document.album = simplifiedAlbum(entry.release)
        document.externalIDs = externalIDs(of: entry)
        document.popularity = mode == .legacy ? catalog.popularity(of: entry) : nil
        if isItem { (document.episode, document.track) = (false, true) }
        return object(entry, document)
    }

    /// A track in an album's list of tracks.
    func simplifiedTrack(_ entry: Entry) -> SpotifyObject<SpotifyTrackDocument> {
        object(entry, trackDocument(entry))
    }

    private func object(_ entry: Entry, _ document: SpotifyTrackDocument) -> SpotifyObject<SpotifyTrackDocument> {
        SpotifyObject("track", id: catalog.spotifyID(.track, UInt64(entry.number)), document)
    }

    private func trackDocument(_ entry: Entry) -> SpotifyTrackDocument {
        let isPlayable = market.map { catalog.isPlayable(entry.recording, in: $0) }
        return SpotifyTrackDocument(
            artists: simplifiedArtists(catalog.artists(of: entry)), availableMarkets: availableMarkets,
            durationMs: catalog.duration(of: entry, on: .spotify), explicit: catalog.isExplicit(entry),
            isPlayable: isPlayable, restrictions: isPlayable == false ? .init() : nil,
            name: titles[entry.number] ?? catalog.title(of: entry, on: .spotify), trackNumber: entry.trackNumber)
    }

    /// A track without an ISRC has an empty object, an object of another code, or no member at all.
    private func externalIDs(of entry: Entry) -> [String: String]? {
        if let isrc = catalog.spotifyISRC(of: entry) { return ["isrc": isrc] }
        return switch catalog.draw(entry.recording, .isrcForm) % 3 {
        case 0: [:]
        case 1: ["ean": "4006381333931"]
        default: nil
        }
    }
}
