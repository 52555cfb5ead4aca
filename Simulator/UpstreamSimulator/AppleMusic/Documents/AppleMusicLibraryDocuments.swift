/// Makes the documents of a person's library as Apple Music shows it.
struct AppleMusicLibraryDocuments: Sendable {
    let library: PersonalLibrary
    let storefront: String
    /// Whether the call asked for `include=catalog`: without it there are no relationships.
    let includesCatalog: Bool

    var catalog: RecordingCatalog { library.catalog }
    /// Makes the counterparts in the catalog.
    var catalogDocuments: AppleMusicDocuments { AppleMusicDocuments(catalog: catalog, storefront: storefront) }

    /// - Parameter kind: such as `songs`.
    func resource(
        _ kind: String, id: String, _ attributes: (any Encodable)?,
        _ relationships: AppleMusicResource.Relationships? = nil
    ) -> AppleMusicResource {
        AppleMusicResource(
            id: id, type: "library-" + kind, href: "/v1/me/library/\(kind)/\(id)", attributes: attributes,
            relationships: relationships)
    }

    /// The relation to the catalog if the call asked for it.
    ///
    /// - Parameter counterpart: `nil` for an item without one.
    private func catalogRelation(
        _ kind: String, id: String, _ counterpart: @autoclosure () -> AppleMusicResource?
    ) -> AppleMusicResource.Relationships? {
        guard includesCatalog else { return nil }
        let data = counterpart().map { [$0] } ?? []
        return .init(catalog: .init(href: "/v1/me/library/\(kind)/\(id)/catalog", data: data))
    }

    /// Whether the item with a number has its relation to the catalog.
    func isRelated(_ number: Int) -> Bool { !(library.plan.oddities && catalog.chance(2, number, .relation)) }
}

// MARK: Songs

/// The attributes of a song of a library.
private struct LibrarySongAttributes: Encodable {
    var albumName: String?
    var discNumber: Int?
    var genreNames: [String]?
    var trackNumber: Int?
    var hasLyrics: Bool?
    var durationInMillis: Int?
    var releaseDate: String?
    var name: String
    var artistName: String
    var contentRating: String?
    var artwork: AppleMusicLibraryArtwork?
    var playParams: AppleMusicPlayParameters?
}

extension AppleMusicLibraryDocuments {
    func song(_ track: SavedTrack) -> AppleMusicResource {
        let id = library.id(of: track)
        let lacksAll = library.plan.oddities && catalog.draw(track.entry.recording, .missing) % 500 == 111
        return resource(
            "songs", id: id, lacksAll ? nil : attributes(of: track, id: id),
            catalogRelation("songs", id: id, catalogSong(of: track).map { catalogDocuments.song($0) }))
    }

    /// The song of the relation `catalog`: none for uploads, for what the storefront does not sell, and for some songs
    /// without a reason.
    func catalogSong(of track: SavedTrack) -> Entry? {
        guard track.kind != .upload, catalog.isAvailable(track.entry.recording, in: storefront),
            isRelated(track.entry.recording)
        else { return nil }
        return track.entry
    }

    private func attributes(of track: SavedTrack, id: String) -> LibrarySongAttributes {
        let entry = track.entry
        // One song in a hundred lacks any given attribute.
        let missing = library.plan.oddities ? catalog.draw(entry.recording, .missing) % 100 : nil
        func unless<Value>(_ number: UInt64, _ value: @autoclosure () -> Value) -> Value? {
            missing == number ? nil : value()
        }
        return LibrarySongAttributes(
            albumName: unless(1, catalog.title(of: entry.release, on: .apple)), discNumber: unless(2, 1),
            genreNames: unless(3, [catalog.genre(ofArtist: entry.artist)]), trackNumber: unless(4, entry.trackNumber),
            hasLyrics: unless(5, catalogDocuments.hasLyrics(entry)),
            durationInMillis: unless(6, catalog.duration(of: entry, on: .apple)),
            releaseDate: unless(7, catalogDocuments.dateText(of: entry.release)), name: library.title(of: entry),
            artistName: catalog.appleArtistName(of: entry), contentRating: catalogDocuments.rating(of: entry),
            artwork: unless(
                8,
                AppleMusicLibraryArtwork(
                    url: catalogDocuments.artworkURL(Int(entry.release.number)), hasSize: missing != 9)),
            playParams: unless(10, playParameters(of: track, id: id, isPurchased: missing == 12)))
    }

    private func playParameters(of track: SavedTrack, id: String, isPurchased: Bool) -> AppleMusicPlayParameters {
        let isUpload = track.kind == .upload
        var parameters = AppleMusicPlayParameters(id: id, kind: "song", isLibrary: true, reporting: !isUpload)
        guard !isUpload else { return parameters }
        let catalogID = catalogDocuments.id(of: track.entry)
        parameters.catalogId = catalogID
        parameters.purchasedId = isPurchased ? catalogID : nil
        parameters.reportingId = catalogID
        return parameters
    }
}

// MARK: Albums and artists

/// The attributes of an album of a library.
private struct LibraryAlbumAttributes: Encodable {
    var trackCount: Int
    var genreNames: [String]
    var releaseDate: String
    var name: String
    var artistName: String
    var artwork: AppleMusicLibraryArtwork?
    var playParams: AppleMusicPlayParameters
    var dateAdded: String
}

/// The attributes of an artist of a library.
private struct LibraryArtistAttributes: Encodable {
    var name: String
}

extension AppleMusicLibraryDocuments {
    func album(_ album: SavedAlbum) -> AppleMusicResource {
        let release = album.release
        let number = Int(release.number)
        let id = library.id(of: album)
        let hasArtwork = catalog.draw(number, .missing) % 20 != 0
        let attributes = LibraryAlbumAttributes(
            trackCount: release.edition.slots.count, genreNames: [catalog.genre(ofArtist: release.artist)],
            releaseDate: catalogDocuments.dateText(of: release), name: catalog.title(of: release, on: .apple),
            artistName: catalog.name(ofArtist: release.artist, on: .apple),
            artwork: hasArtwork ? .init(url: catalogDocuments.artworkURL(number), hasSize: true) : nil,
            playParams: .init(id: id, kind: "album", isLibrary: true), dateAdded: CalendarText.moment(album.addedAt))
        return resource(
            "albums", id: id, attributes,
            catalogRelation(
                "albums", id: id, isRelated(number) ? catalogDocuments.album(release, hasRelations: false) : nil))
    }

    func artist(_ artist: Int) -> AppleMusicResource {
        let id = library.id(ofArtist: artist)
        let attributes = LibraryArtistAttributes(name: catalog.name(ofArtist: artist, on: .apple))
        return resource(
            "artists", id: id, attributes,
            catalogRelation(
                "artists", id: id, isRelated(artist) ? catalogDocuments.artist(artist, hasRelations: false) : nil))
    }
}
