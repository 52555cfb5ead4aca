/// Writes a person's library as Apple Music shows it.
struct AppleMusicLibraryWriter: Sendable {
    let library: PersonalLibrary
    let storefront: String
    /// Whether the call asked for `include=catalog`: without it there are no relationships.
    let includesCatalog: Bool

    private var catalog: RecordingCatalog { library.catalog }
    /// Writes the counterparts in the catalog.
    var catalogWriter: AppleMusicWriter { AppleMusicWriter(catalog: catalog, storefront: storefront) }

    private func writeIdentity(_ json: inout JSONWriter, _ kind: String, id: String) {
        json.string("id", id)
        json.string("type", "library-" + kind)
        json.string("href", "/v1/me/library/\(kind)/\(id)")
    }

    /// Writes the relation to the catalog if the call asked for it.
    private func writeCatalog(
        _ json: inout JSONWriter, _ kind: String, id: String, data: (inout JSONWriter) -> Void
    ) {
        guard includesCatalog else { return }
        json.object("relationships") { json in
            json.object("catalog") { json in
                json.string("href", "/v1/me/library/\(kind)/\(id)/catalog")
                json.array("data", data)
            }
        }
    }

    // MARK: Songs

    /// Whether a song lacks an attribute: one in a hundred lacks any given one, and a few lack all of them.
    private func lacks(_ attribute: UInt64, _ entry: Entry) -> Bool {
        library.plan.oddities && catalog.draw(entry.recording, .missing) % 100 == attribute
    }

    func writeSong(_ json: inout JSONWriter, _ track: SavedTrack) {
        let entry = track.entry
        let id = library.id(of: track)
        json.object { json in
            writeIdentity(&json, "songs", id: id)
            if !library.plan.oddities || catalog.draw(entry.recording, .missing) % 500 != 111 {
                json.object("attributes") { json in writeAttributes(&json, track, id: id) }
            }
            writeCatalog(&json, "songs", id: id) { json in
                if let song = catalogSong(of: track) { catalogWriter.writeSong(&json, song) }
            }
        }
    }

    /// The song of the relation `catalog`: none for uploads, for what the storefront does not sell, and for some songs
    /// without a reason.
    func catalogSong(of track: SavedTrack) -> Entry? {
        guard track.kind != .upload, catalog.isAvailable(track.entry.recording, in: storefront),
            isRelated(track.entry.recording)
        else { return nil }
        return track.entry
    }

    /// Whether the item with a number has its relation to the catalog.
    func isRelated(_ number: Int) -> Bool { !(library.plan.oddities && catalog.chance(2, number, .relation)) }

    private func writeAttributes(_ json: inout JSONWriter, _ track: SavedTrack, id: String) {
        let entry = track.entry
        if !lacks(1, entry) { json.string("albumName", catalog.title(of: entry.release, on: .apple)) }
        if !lacks(2, entry) { json.number("discNumber", 1) }
        if !lacks(3, entry) {
            json.array("genreNames") { $0.string(nil, catalog.genre(ofArtist: entry.artist)) }
        }
        if !lacks(4, entry) { json.number("trackNumber", entry.trackNumber) }
        if !lacks(5, entry) { json.bool("hasLyrics", catalogWriter.hasLyrics(entry)) }
        if !lacks(6, entry) { json.number("durationInMillis", catalog.duration(of: entry, on: .apple)) }
        if !lacks(7, entry) { json.string("releaseDate", catalogWriter.dateText(of: entry.release)) }
        json.string("name", library.title(of: entry))
        json.string("artistName", catalog.appleArtistName(of: entry))
        catalogWriter.writeRating(&json, entry)
        if !lacks(8, entry) {
            writeArtwork(&json, url: catalogWriter.artworkURL(Int(entry.release.number)), hasSize: !lacks(9, entry))
        }
        if !lacks(10, entry) { writePlayParameters(&json, track, id: id) }
    }

    private func writeArtwork(_ json: inout JSONWriter, url: String, hasSize: Bool) {
        json.object("artwork") { json in
            for name in ["width", "height"] {
                if hasSize { json.number(name, 1_200) } else { json.null(name) }
            }
            json.string("url", url)
        }
    }

    private func writePlayParameters(_ json: inout JSONWriter, _ track: SavedTrack, id: String) {
        let isUpload = track.kind == .upload
        json.object("playParams") { json in
            json.string("id", id)
            json.string("kind", "song")
            json.bool("isLibrary", true)
            json.bool("reporting", !isUpload)
            guard !isUpload else { return }
            let catalogID = catalogWriter.id(of: track.entry)
            json.string("catalogId", catalogID)
            if lacks(12, track.entry) { json.string("purchasedId", catalogID) }
            json.string("reportingId", catalogID)
        }
    }

    func writeVideo(_ json: inout JSONWriter, _ number: Int) {
        let id = library.id(ofVideo: number)
        json.object { json in
            writeIdentity(&json, "music-videos", id: id)
            json.object("attributes") { json in
                json.string("name", "Film of a Song \(number)")
                json.string("artistName", catalog.name(ofArtist: 0, on: .apple))
                json.number("durationInMillis", 222_000)
                json.object("playParams") { json in
                    json.string("id", id)
                    json.string("kind", "musicVideo")
                    json.bool("isLibrary", true)
                }
            }
        }
    }

    // MARK: Albums and playlists

    func writeAlbum(_ json: inout JSONWriter, _ album: SavedAlbum) {
        let release = album.release
        let id = library.id(of: album)
        json.object { json in
            writeIdentity(&json, "albums", id: id)
            json.object("attributes") { json in
                json.number("trackCount", release.edition.slots.count)
                json.array("genreNames") { $0.string(nil, catalog.genre(ofArtist: release.artist)) }
                json.string("releaseDate", catalogWriter.dateText(of: release))
                json.string("name", catalog.title(of: release, on: .apple))
                json.string("artistName", catalog.name(ofArtist: release.artist, on: .apple))
                if catalog.draw(Int(release.number), .missing) % 20 != 0 {
                    writeArtwork(&json, url: catalogWriter.artworkURL(Int(release.number)), hasSize: true)
                }
                json.object("playParams") { json in
                    json.string("id", id)
                    json.string("kind", "album")
                    json.bool("isLibrary", true)
                }
                json.string("dateAdded", CalendarText.moment(album.addedAt))
            }
            writeCatalog(&json, "albums", id: id) { json in
                if isRelated(Int(release.number)) { catalogWriter.writeAlbum(&json, release, hasRelations: false) }
            }
        }
    }

    func writeArtist(_ json: inout JSONWriter, _ artist: Int) {
        let id = library.id(ofArtist: artist)
        json.object { json in
            writeIdentity(&json, "artists", id: id)
            json.object("attributes") { $0.string("name", catalog.name(ofArtist: artist, on: .apple)) }
            writeCatalog(&json, "artists", id: id) { json in
                if isRelated(artist) { catalogWriter.writeArtist(&json, artist, hasRelations: false) }
            }
        }
    }

    /// - Parameter tracks: writes the relationship `tracks` if the call asked for it.
    func writePlaylist(
        _ json: inout JSONWriter, _ playlist: SavedPlaylist, tracks: ((inout JSONWriter) -> Void)? = nil
    ) {
        json.object { json in
            writeIdentity(&json, "playlists", id: playlist.id)
            json.object("attributes") { json in
                if let date = playlist.items.map(\.addedAt).min() {
                    json.string("dateAdded", CalendarText.moment(date))
                }
                json.string("lastModifiedDate", CalendarText.moment(playlist.changedAt))
                json.string("name", playlist.name)
                json.bool("canEdit", true)
                json.bool("hasCatalog", playlist.isPublic == true)
                json.bool("isPublic", playlist.isPublic == true)
                if let description = playlist.description {
                    json.object("description") { $0.string("standard", description) }
                }
                writeCover(&json, playlist)
                json.object("playParams") { json in
                    json.string("id", playlist.id)
                    json.string("kind", "playlist")
                    json.bool("isLibrary", true)
                    if let id = playlist.sharedID { json.string("globalId", id) }
                }
            }
            if let tracks {
                json.object("relationships") { json in
                    json.object("tracks") { json in tracks(&json) }
                }
            }
        }
    }

    /// Covers that Apple composes have a fixed size and no placeholders for another one.
    private func writeCover(_ json: inout JSONWriter, _ playlist: SavedPlaylist) {
        switch playlist.picture {
        case .none: break
        case .empty:
            let url = SimulatedMedia.address(
                real: "https://is1-ssl.mzstatic.com/image/thumb/gen/600x600AM.PDCXS01.jpg",
                path: SimulatedMedia.picturePath(playlist.id, "600x600"))
            writeArtwork(&json, url: url, hasSize: false)
        case .cover: writeArtwork(&json, url: catalogWriter.artworkURL(Int(playlist.changedAt)), hasSize: false)
        }
    }

    /// An entry of a playlist: a song of the library, a video, or a song of the catalog.
    func writeItem(_ json: inout JSONWriter, _ item: SavedPlaylist.Item) {
        switch item.content {
        case .track, .upload:
            if let track = library.track(of: item) { writeSong(&json, track) }
        case .catalogSong(let entry): catalogWriter.writeSong(&json, entry)
        case .video(let number): writeVideo(&json, number)
        case .local, .episode, .unavailable: break
        }
    }
}
