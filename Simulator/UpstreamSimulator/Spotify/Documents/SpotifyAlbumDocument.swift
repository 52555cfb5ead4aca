/// An album. Those in tracks and in lists have fewer members than the full object.
struct SpotifyAlbumDocument: Encodable {
    struct Copyright: Encodable {
        var text: String
        let type = "C"
    }

    struct ExternalIDs: Encodable {
        var upc: String
    }

    var albumType: String
    var artists: [SpotifyObject<SpotifyArtistDocument>]
    var availableMarkets: [String]?
    var images: [SpotifyImageDocument]
    var name: String
    var releaseDate: String
    var releaseDatePrecision: String
    var totalTracks: Int
    /// How the album relates to the artist whose list it is in.
    var albumGroup: String?
    var copyrights: [Copyright]?
    var externalIDs: ExternalIDs?
    var genres: [String]?
    var label: String?
    var popularity: Int?
    var tracks: SpotifyPagingDocument<SpotifyObject<SpotifyTrackDocument>>?

    enum CodingKeys: String, CodingKey {
        case albumType = "album_type"
        case artists
        case availableMarkets = "available_markets"
        case images, name
        case releaseDate = "release_date"
        case releaseDatePrecision = "release_date_precision"
        case totalTracks = "total_tracks"
        case albumGroup = "album_group"
        case copyrights
        case externalIDs = "external_ids"
        case genres, label, popularity, tracks
    }
}

extension SpotifyDocuments {
    func albumType(of release: Release) -> String {
        switch release.edition {
        case .single: "single"
        case .best: "compilation"
        default: "album"
        }
    }

    /// - Parameter group: how the release relates to an artist, in the list of that artist's releases; development mode
    ///   does not have it.
    func simplifiedAlbum(_ release: Release, group: String? = nil) -> SpotifyObject<SpotifyAlbumDocument> {
        var document = albumDocument(release)
        document.albumGroup = mode == .legacy ? group : nil
        return object(release, document)
    }

    /// The full object with its first page of tracks.
    ///
    /// - Parameter base: the beginning of that page's links.
    func album(_ release: Release, base: String) -> SpotifyObject<SpotifyAlbumDocument> {
        var document = albumDocument(release)
        document.copyrights = [.init(text: "\(catalog.date(of: release).year) Simulated Records")]
        document.externalIDs = .init(upc: catalog.upc(of: release))
        document.genres = []
        if mode == .legacy {
            document.label = "Simulated Records"
            document.popularity = Int(catalog.draw(Int(release.number), .popularity) % 90)
        }
        document.tracks = tracks(
            of: release, SpotifyPage(limit: 50, offset: 0), url: "\(base)/albums/\(id(of: release))/tracks")
        return object(release, document)
    }

    /// A page of an album's tracks.
    ///
    /// - Parameter query: what the page's links repeat.
    func tracks(
        of release: Release, _ page: SpotifyPage, url: String, query: String = ""
    ) -> SpotifyPagingDocument<SpotifyObject<SpotifyTrackDocument>> {
        let slots = release.edition.slots
        let tracks = page.part(of: slots).map { slot in
            simplifiedTrack(
                Entry(recording: release.artist * RecordingSlot.count + slot, edition: release.edition))
        }
        return page.document(tracks, total: slots.count, url: url, query: query)
    }

    private func id(of release: Release) -> String { catalog.spotifyID(.album, UInt64(release.number)) }

    private func object(_ release: Release, _ document: SpotifyAlbumDocument) -> SpotifyObject<SpotifyAlbumDocument> {
        SpotifyObject("album", id: id(of: release), document)
    }

    private func albumDocument(_ release: Release) -> SpotifyAlbumDocument {
        let date = catalog.date(of: release)
        return SpotifyAlbumDocument(
            albumType: albumType(of: release), artists: simplifiedArtists([release.artist]),
            availableMarkets: availableMarkets, images: images("6d", Int(release.number)),
            name: catalog.title(of: release, on: .spotify), releaseDate: date.text,
            releaseDatePrecision: date.precision.rawValue, totalTracks: release.edition.slots.count)
    }
}
