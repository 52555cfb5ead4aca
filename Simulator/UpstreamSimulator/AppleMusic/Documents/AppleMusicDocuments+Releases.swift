/// The attributes of an album of the catalog.
private struct AlbumAttributes: Encodable {
    var artistName: String
    var artwork: AppleMusicArtwork
    var copyright: String
    var genreNames: [String]
    let isCompilation = false
    let isComplete = true
    var isMasteredForItunes: Bool
    var isSingle: Bool
    var name: String
    var playParams: AppleMusicPlayParameters
    let recordLabel = "Simulated Records"
    var releaseDate: String
    var trackCount: Int
    var upc: String
    var url: String
}

/// The attributes of an artist of the catalog.
private struct ArtistAttributes: Encodable {
    var artwork: AppleMusicArtwork
    var genreNames: [String]
    var name: String
    var url: String
}

extension AppleMusicDocuments {
    func id(of release: Release) -> String { catalog.appleID(.album, release.number, storefront: storefront) }

    func id(ofArtist artist: Int) -> String { catalog.appleID(.artist, UInt32(artist), storefront: storefront) }

    func release(ofID id: String) -> Release? { catalog.release(ofAppleID: id, storefront: storefront) }

    func artist(ofID id: String) -> Int? { catalog.artist(ofAppleID: id, storefront: storefront) }

    /// The songs of a release that the storefront sells, in the order of its tracks.
    func songs(of release: Release) -> [Entry] {
        release.edition.slots
            .map { Entry(recording: release.artist * RecordingSlot.count + $0, edition: release.edition) }
            .filter { catalog.isAvailable($0.recording, in: storefront) }
    }

    func albums(ofArtist artist: Int) -> [Release] {
        Edition.allCases.map { Release(artist: artist, edition: $0) }
    }

    /// An album of the catalog.
    ///
    /// - Parameters:
    ///   - hasRelations: whether to include its tracks and its artist's id. Search results come without them.
    ///   - relations: `artists` for the whole artist instead of the id.
    func album(_ release: Release, hasRelations: Bool, including relations: [String] = []) -> AppleMusicResource {
        let id = id(of: release)
        let attributes = AlbumAttributes(
            artistName: catalog.name(ofArtist: release.artist, on: .apple),
            artwork: AppleMusicArtwork(url: artworkURL(Int(release.number))),
            copyright: "℗ \(catalog.date(of: release).year) Simulated Records",
            genreNames: [catalog.genre(ofArtist: release.artist), "Music"],
            isMasteredForItunes: release.artist % 3 == 0, isSingle: release.edition == .single,
            name: catalog.title(of: release, on: .apple), playParams: .init(id: id, kind: "album"),
            releaseDate: dateText(of: release), trackCount: release.edition.slots.count,
            upc: catalog.upc(of: release), url: "https://music.apple.com/\(storefront)/album/\(id)")
        guard hasRelations else { return resource("albums", id: id, attributes) }
        let artist =
            relations.contains("artists")
            ? artist(release.artist, hasRelations: false) : resource("artists", id: self.id(ofArtist: release.artist))
        return resource(
            "albums", id: id, attributes,
            .init(
                artists: relation("artists", of: "albums", id: id, [artist]),
                tracks: relation("tracks", of: "albums", id: id, songs(of: release).map { song($0) })))
    }

    /// An album that came out on command, like ``album(_:hasRelations:including:)``.
    func album(_ album: NewAlbum, hasRelations: Bool, including relations: [String] = []) -> AppleMusicResource {
        let id = catalog.appleID(of: album, storefront: storefront)
        let attributes = AlbumAttributes(
            artistName: catalog.name(ofArtist: album.artist, on: .apple),
            artwork: AppleMusicArtwork(url: artworkURL(catalog.subject(of: album))),
            copyright: "℗ \(album.date.year) Simulated Records",
            genreNames: [catalog.genre(ofArtist: album.artist), "Music"], isMasteredForItunes: true,
            isSingle: album.kind == .single, name: album.appleTitle, playParams: .init(id: id, kind: "album"),
            releaseDate: album.date.text, trackCount: album.tracks, upc: String(800_000_000_000 + album.number),
            url: "https://music.apple.com/\(storefront)/album/\(id)")
        guard hasRelations else { return resource("albums", id: id, attributes) }
        let artist =
            relations.contains("artists")
            ? artist(album.artist, hasRelations: false) : resource("artists", id: self.id(ofArtist: album.artist))
        return resource(
            "albums", id: id, attributes,
            .init(
                artists: relation("artists", of: "albums", id: id, [artist]),
                tracks: relation("tracks", of: "albums", id: id, songs(of: album).map { song($0) })))
    }

    /// The songs of a new album that the storefront sells.
    func songs(of album: NewAlbum) -> [Entry] {
        album.entries.filter { catalog.isAvailable($0.recording, in: storefront) }
    }

    /// An artist of the catalog.
    ///
    /// - Parameters:
    ///   - new: the artist's albums that came out on command.
    ///   - hasRelations: whether to include the ids of its albums. Search results come without them.
    ///   - relations: `albums` for the whole albums instead of their ids.
    func artist(
        _ artist: Int, new: [NewAlbum] = [], hasRelations: Bool, including relations: [String] = []
    ) -> AppleMusicResource {
        let id = id(ofArtist: artist)
        let attributes = ArtistAttributes(
            artwork: AppleMusicArtwork(url: artworkURL(1 << 30 + artist)),
            genreNames: [catalog.genre(ofArtist: artist)], name: catalog.name(ofArtist: artist, on: .apple),
            url: "https://music.apple.com/\(storefront)/artist/\(id)")
        guard hasRelations else { return resource("artists", id: id, attributes) }
        var albums = albums(ofArtist: artist).map { release in
            relations.contains("albums")
                ? album(release, hasRelations: false) : resource("albums", id: self.id(of: release))
        }
        albums += new.map { added in
            relations.contains("albums")
                ? album(added, hasRelations: false)
                : resource("albums", id: catalog.appleID(of: added, storefront: storefront))
        }
        return resource(
            "artists", id: id, attributes, .init(albums: relation("albums", of: "artists", id: id, albums)))
    }
}
