extension AppleMusicWriter {
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

    /// Writes the members with which a resource of the catalog identifies itself.
    func writeIdentity(_ json: inout JSONWriter, _ type: String, id: String) {
        json.string("id", id)
        json.string("type", type)
        json.string("href", "/v1/catalog/\(storefront)/\(type)/\(id)")
    }

    /// An album of the catalog.
    ///
    /// - Parameters:
    ///   - hasRelations: whether to include its tracks and its artist's id. Search results come without them.
    ///   - relations: `artists` for the whole artist instead of the id.
    func writeAlbum(
        _ json: inout JSONWriter, _ release: Release, hasRelations: Bool, including relations: [String] = []
    ) {
        let id = id(of: release)
        json.object { json in
            writeIdentity(&json, "albums", id: id)
            json.object("attributes") { json in
                json.string("artistName", catalog.name(ofArtist: release.artist, on: .apple))
                writeArtwork(&json, Int(release.number))
                json.string("copyright", "℗ \(catalog.date(of: release).year) Simulated Records")
                writeGenres(&json, ofArtist: release.artist)
                json.bool("isCompilation", false)
                json.bool("isComplete", true)
                json.bool("isMasteredForItunes", release.artist % 3 == 0)
                json.bool("isSingle", release.edition == .single)
                json.string("name", catalog.title(of: release, on: .apple))
                json.object("playParams") { json in
                    json.string("id", id)
                    json.string("kind", "album")
                }
                json.string("recordLabel", "Simulated Records")
                json.string("releaseDate", dateText(of: release))
                json.number("trackCount", release.edition.slots.count)
                json.string("upc", catalog.upc(of: release))
                json.string("url", "https://music.apple.com/\(storefront)/album/\(id)")
            }
            guard hasRelations else { return }
            json.object("relationships") { json in
                json.object("artists") { json in
                    json.string("href", "/v1/catalog/\(storefront)/albums/\(id)/artists")
                    json.array("data") { json in
                        writeArtist(&json, release.artist, isWhole: relations.contains("artists"))
                    }
                }
                json.object("tracks") { json in
                    json.string("href", "/v1/catalog/\(storefront)/albums/\(id)/tracks")
                    json.array("data") { json in
                        for entry in songs(of: release) { writeSong(&json, entry) }
                    }
                }
            }
        }
    }

    /// An artist of the catalog.
    ///
    /// - Parameters:
    ///   - hasRelations: whether to include the ids of its albums. Search results come without them.
    ///   - relations: `albums` for the whole albums instead of their ids.
    func writeArtist(
        _ json: inout JSONWriter, _ artist: Int, hasRelations: Bool, including relations: [String] = []
    ) {
        let id = id(ofArtist: artist)
        json.object { json in
            writeIdentity(&json, "artists", id: id)
            json.object("attributes") { json in
                writeArtwork(&json, 1 << 30 + artist)
                json.array("genreNames") { $0.string(nil, catalog.genre(ofArtist: artist)) }
                json.string("name", catalog.name(ofArtist: artist, on: .apple))
                json.string("url", "https://music.apple.com/\(storefront)/artist/\(id)")
            }
            guard hasRelations else { return }
            json.object("relationships") { json in
                json.object("albums") { json in
                    json.string("href", "/v1/catalog/\(storefront)/artists/\(id)/albums")
                    json.array("data") { json in
                        for album in albums(ofArtist: artist) {
                            writeAlbum(&json, album, isWhole: relations.contains("albums"))
                        }
                    }
                }
            }
        }
    }

    // MARK: In relationships

    /// An album within another resource; without `isWhole` only its id.
    func writeAlbum(_ json: inout JSONWriter, _ release: Release, isWhole: Bool) {
        guard !isWhole else { return writeAlbum(&json, release, hasRelations: false) }
        json.object { writeIdentity(&$0, "albums", id: id(of: release)) }
    }

    /// Like ``writeAlbum(_:_:isWhole:)``, for an artist.
    func writeArtist(_ json: inout JSONWriter, _ artist: Int, isWhole: Bool) {
        guard !isWhole else { return writeArtist(&json, artist, hasRelations: false) }
        json.object { writeIdentity(&$0, "artists", id: id(ofArtist: artist)) }
    }
}
