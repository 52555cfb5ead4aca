/// Makes the documents of Apple Music's catalog from the recordings.
struct AppleMusicDocuments: Sendable {
    let catalog: RecordingCatalog
    let storefront: String

    func id(of entry: Entry) -> String { catalog.appleID(.song, entry.number, storefront: storefront) }

    /// The entry for a song's id, if the storefront sells it.
    func entry(ofID id: String) -> Entry? {
        guard let entry = catalog.entry(ofAppleID: id, storefront: storefront),
            catalog.isAvailable(entry.recording, in: storefront)
        else { return nil }
        return entry
    }

    /// The release date as Apple has it: the year or the day.
    func dateText(of release: Release) -> String {
        var date = catalog.date(of: release)
        if date.precision == .month { date.precision = .day }
        return date.text
    }

    /// The address of a picture, with placeholders for its size.
    func artworkURL(_ subject: Int) -> String {
        let picture = String(catalog.draw(subject, .picture), radix: 16)
        return SimulatedMedia.address(
            real: "https://is1-ssl.mzstatic.com/image/thumb/Music211/v4/\(picture)/art.jpg/{w}x{h}bb.jpg",
            path: SimulatedMedia.picturePath(picture, "{w}x{h}bb"))
    }

    /// The address of thirty seconds of a song.
    func previewURL(_ id: String) -> String {
        SimulatedMedia.address(
            real: "https://audio-ssl.itunes.apple.com/itunes-assets/\(id).aac.p.m4a",
            path: SimulatedMedia.previewPath(id))
    }

    func hasLyrics(_ entry: Entry) -> Bool {
        ![.instrumental, .karaoke].contains(entry.version) && entry.song % 4 != 0
    }

    /// `nil` for songs without a rating.
    func isExplicit(_ entry: Entry) -> Bool? {
        if catalog.isExplicit(entry) { return true }
        let isClean = [.radioEdit, .clean].contains(entry.version) && catalog.isExplicit(song: entry.song)
        return isClean ? false : nil
    }

    /// `contentRating`; `nil` for songs without a rating.
    func rating(of entry: Entry) -> String? { isExplicit(entry).map { $0 ? "explicit" : "clean" } }

    /// A resource of the catalog.
    func resource(
        _ type: String, id: String, _ attributes: (any Encodable)? = nil,
        _ relationships: AppleMusicResource.Relationships? = nil
    ) -> AppleMusicResource {
        AppleMusicResource(
            id: id, type: type, href: "/v1/catalog/\(storefront)/\(type)/\(id)", attributes: attributes,
            relationships: relationships)
    }

    /// A list of items that are related to a resource.
    func relation(
        _ name: String, of type: String, id: String, _ data: [AppleMusicResource]
    ) -> AppleMusicListDocument {
        AppleMusicListDocument(href: "/v1/catalog/\(storefront)/\(type)/\(id)/\(name)", data: data)
    }
}

/// The attributes of a song of the catalog.
private struct SongAttributes: Encodable {
    struct Preview: Encodable {
        var url: String
    }

    var albumName: String
    var artistName: String
    var artwork: AppleMusicArtwork
    var contentRating: String?
    let discNumber = 1
    var durationInMillis: Int
    var genreNames: [String]
    var hasLyrics: Bool
    var isAppleDigitalMaster: Bool
    var isrc: String?
    var name: String
    var playParams: AppleMusicPlayParameters
    var previews: [Preview]
    var releaseDate: String
    var trackNumber: Int
    var url: String
}

extension AppleMusicDocuments {
    /// A song of the catalog.
    ///
    /// - Parameter relations: any of `albums` and `artists`. Lists of songs come without relations.
    func song(_ entry: Entry, including relations: [String] = []) -> AppleMusicResource {
        let id = id(of: entry)
        let attributes = SongAttributes(
            albumName: catalog.title(of: entry.release, on: .apple), artistName: catalog.appleArtistName(of: entry),
            artwork: AppleMusicArtwork(url: artworkURL(Int(entry.release.number))), contentRating: rating(of: entry),
            durationInMillis: catalog.duration(of: entry, on: .apple),
            genreNames: [catalog.genre(ofArtist: entry.artist), "Music"], hasLyrics: hasLyrics(entry),
            isAppleDigitalMaster: entry.recording % 3 == 0, isrc: catalog.isrc(of: entry, on: .apple),
            name: catalog.title(of: entry, on: .apple), playParams: .init(id: id, kind: "song"),
            previews: [.init(url: previewURL(id))], releaseDate: dateText(of: entry.release),
            trackNumber: entry.trackNumber,
            url: "https://music.apple.com/\(storefront)/album/\(self.id(of: entry.release))?i=\(id)")
        guard !relations.isEmpty else { return resource("songs", id: id, attributes) }
        var relationships = AppleMusicResource.Relationships()
        if relations.contains("albums") {
            let album = album(entry.release, hasRelations: false)
            relationships.albums = relation("albums", of: "songs", id: id, [album])
        }
        if relations.contains("artists") {
            let artist = artist(entry.artist, hasRelations: false)
            relationships.artists = relation("artists", of: "songs", id: id, [artist])
        }
        return resource("songs", id: id, attributes, relationships)
    }
}
