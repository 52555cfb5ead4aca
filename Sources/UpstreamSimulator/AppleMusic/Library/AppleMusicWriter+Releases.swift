extension AppleMusicWriter {
    func id(of release: Release) -> String { catalogue.appleID(.album, release.number, storefront: storefront) }

    func id(ofArtist artist: Int) -> String { catalogue.appleID(.artist, UInt32(artist), storefront: storefront) }

    func release(ofID id: String) -> Release? { catalogue.release(ofAppleID: id, storefront: storefront) }

    func artist(ofID id: String) -> Int? { catalogue.artist(ofAppleID: id, storefront: storefront) }

    /// The songs of a release that the storefront sells, in the order of its tracks.
    private func songs(of release: Release) -> [Entry] {
        release.edition.slots
            .map { Entry(recording: release.artist * RecordingSlot.count + $0, edition: release.edition) }
            .filter { catalogue.isAvailable($0.recording, in: storefront) }
    }

    /// The members by which a resource of the catalogue names itself.
    private func writeIdentity(_ json: inout JSONWriter, _ type: String, id: String) {
        json.string("id", id)
        json.string("type", type)
        json.string("href", "/v1/catalog/\(storefront)/\(type)/\(id)")
    }

    /// An album of the catalogue.
    ///
    /// - Parameter hasRelations: with its tracks, and with its artist's id. A search answers without them.
    func writeAlbum(_ json: inout JSONWriter, _ release: Release, hasRelations: Bool) {
        let id = id(of: release)
        json.object { json in
            writeIdentity(&json, "albums", id: id)
            json.object("attributes") { json in
                json.string("artistName", catalogue.name(ofArtist: release.artist, on: .apple))
                writeArtwork(&json, Int(release.number))
                json.string("copyright", "℗ \(catalogue.date(of: release).year) Simulated Records")
                writeGenres(&json, ofArtist: release.artist)
                json.bool("isCompilation", false)
                json.bool("isComplete", true)
                json.bool("isMasteredForItunes", release.artist % 3 == 0)
                json.bool("isSingle", release.edition == .single)
                json.string("name", catalogue.title(of: release, on: .apple))
                json.object("playParams") { json in
                    json.string("id", id)
                    json.string("kind", "album")
                }
                json.string("recordLabel", "Simulated Records")
                json.string("releaseDate", dateText(of: release))
                json.number("trackCount", release.edition.slots.count)
                json.string("upc", catalogue.upc(of: release))
                json.string("url", "https://music.apple.com/\(storefront)/album/\(id)")
            }
            guard hasRelations else { return }
            json.object("relationships") { json in
                json.object("artists") { json in
                    json.string("href", "/v1/catalog/\(storefront)/albums/\(id)/artists")
                    json.array("data") { json in
                        let artist = self.id(ofArtist: release.artist)
                        json.object { json in writeIdentity(&json, "artists", id: artist) }
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

    /// An artist of the catalogue.
    ///
    /// - Parameter hasRelations: with the ids of its albums. A search answers without them.
    func writeArtist(_ json: inout JSONWriter, _ artist: Int, hasRelations: Bool) {
        let id = id(ofArtist: artist)
        json.object { json in
            writeIdentity(&json, "artists", id: id)
            json.object("attributes") { json in
                json.array("genreNames") { $0.string(nil, catalogue.genre(ofArtist: artist)) }
                json.string("name", catalogue.name(ofArtist: artist, on: .apple))
                json.string("url", "https://music.apple.com/\(storefront)/artist/\(id)")
            }
            guard hasRelations else { return }
            json.object("relationships") { json in
                json.object("albums") { json in
                    json.string("href", "/v1/catalog/\(storefront)/artists/\(id)/albums")
                    json.array("data") { json in
                        for edition in Edition.allCases {
                            let album = self.id(of: Release(artist: artist, edition: edition))
                            json.object { json in writeIdentity(&json, "albums", id: album) }
                        }
                    }
                }
            }
        }
    }
}
