/// An episode of a podcast.
struct SpotifyEpisodeDocument: Encodable {
    struct Show: Encodable {
        let images: [String] = []
        let name = SpotifyEpisodeTrackDocument.show
        let totalEpisodes = 41

        enum CodingKeys: String, CodingKey {
            case images, name
            case totalEpisodes = "total_episodes"
        }
    }

    let audioPreviewURL = JSONNull()
    let description = "Two friends read liner notes."
    let htmlDescription = "<p>Two friends read liner notes.</p>"
    let images: [String] = []
    let isExternallyHosted = false
    let language = "en"
    let languages = ["en"]
    let releaseDate = SpotifyEpisodeTrackDocument.releaseDate
    let releaseDatePrecision = "day"
    var show: SpotifyObject<Show>
    let durationMs = SpotifyEpisodeTrackDocument.duration
    let explicit = false
    let isPlayable = true
    var name: String
    let episode = true
    let track = false

    enum CodingKeys: String, CodingKey {
        case audioPreviewURL = "audio_preview_url"
        case description
        case htmlDescription = "html_description"
        case images
        case isExternallyHosted = "is_externally_hosted"
        case language, languages
        case releaseDate = "release_date"
        case releaseDatePrecision = "release_date_precision"
        case show
        case durationMs = "duration_ms"
        case explicit
        case isPlayable = "is_playable"
        case name, episode, track
    }
}

/// An episode for a caller that did not ask for episodes: a track with the data of its show.
struct SpotifyEpisodeTrackDocument: Encodable {
    static let show = "Liner Notes Aloud"
    static let releaseDate = "2025-03-14"
    /// In milliseconds.
    static let duration = 3_121_000

    struct Album: Encodable {
        let albumType = "show"
        let artists: [String] = []
        let images: [String] = []
        let name = SpotifyEpisodeTrackDocument.show
        let releaseDate = SpotifyEpisodeTrackDocument.releaseDate
        let releaseDatePrecision = "day"
        let totalTracks = 0

        enum CodingKeys: String, CodingKey {
            case albumType = "album_type"
            case artists, images, name
            case releaseDate = "release_date"
            case releaseDatePrecision = "release_date_precision"
            case totalTracks = "total_tracks"
        }
    }

    var album: SpotifyObject<Album>
    var artists: [SpotifyObject<SpotifyArtistDocument>]
    let discNumber = 0
    let externalIDs: [String: String] = [:]
    let trackNumber = 0
    let isLocal = false
    let durationMs = SpotifyEpisodeTrackDocument.duration
    let explicit = false
    let isPlayable = true
    var name: String
    let episode = true
    let track = false

    enum CodingKeys: String, CodingKey {
        case album, artists
        case discNumber = "disc_number"
        case externalIDs = "external_ids"
        case trackNumber = "track_number"
        case isLocal = "is_local"
        case durationMs = "duration_ms"
        case explicit
        case isPlayable = "is_playable"
        case name, episode, track
    }
}

extension SpotifyDocuments {
    func episode(_ number: Int) -> SpotifyObject<SpotifyEpisodeDocument> {
        let show = SpotifyObject("show", id: showID(number), SpotifyEpisodeDocument.Show())
        return SpotifyObject("episode", id: episodeID(number), .init(show: show, name: episodeName(number)))
    }

    func episodeAsTrack(_ number: Int) -> SpotifyObject<SpotifyEpisodeTrackDocument> {
        let show = showID(number)
        let artist = SpotifyArtistDocument(name: SpotifyEpisodeTrackDocument.show)
        return SpotifyObject(
            "episode", id: episodeID(number),
            .init(
                album: SpotifyObject("show", id: show, .init()), artists: [SpotifyObject("show", id: show, artist)],
                name: episodeName(number)))
    }

    private func showID(_ number: Int) -> String { catalog.spotifyID(.show, UInt64(number)) }
    private func episodeID(_ number: Int) -> String { catalog.spotifyID(.episode, UInt64(number)) }
    private func episodeName(_ number: Int) -> String { "Episode \(number): Side B" }
}
