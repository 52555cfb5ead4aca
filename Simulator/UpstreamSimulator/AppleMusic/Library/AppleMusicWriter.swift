/// Writes the catalog's recordings as Apple Music's catalog shows them.
struct AppleMusicWriter: Sendable {
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

    func writeArtwork(_ json: inout JSONWriter, _ subject: Int) {
        json.object("artwork") { json in
            json.string("bgColor", "d1d2d4")
            json.number("height", 3_000)
            for (name, color) in [
                ("textColor1", "070708"), ("textColor2", "141516"), ("textColor3", "2f3031"), ("textColor4", "3a3a3c"),
            ] { json.string(name, color) }
            json.string("url", artworkURL(subject))
            json.number("width", 3_000)
        }
    }

    func writeGenres(_ json: inout JSONWriter, ofArtist artist: Int) {
        json.array("genreNames") { json in
            json.string(nil, catalog.genre(ofArtist: artist))
            json.string(nil, "Music")
        }
    }

    /// A song of the catalog.
    ///
    /// - Parameter relations: any of `albums` and `artists`. Lists of songs come without relations.
    func writeSong(_ json: inout JSONWriter, _ entry: Entry, including relations: [String] = []) {
        let id = id(of: entry)
        let album = self.id(of: entry.release)
        json.object { json in
            json.string("id", id)
            json.string("type", "songs")
            json.string("href", "/v1/catalog/\(storefront)/songs/\(id)")
            json.object("attributes") { json in
                json.string("albumName", catalog.title(of: entry.release, on: .apple))
                json.string("artistName", catalog.appleArtistName(of: entry))
                writeArtwork(&json, Int(entry.release.number))
                writeRating(&json, entry)
                json.number("discNumber", 1)
                json.number("durationInMillis", catalog.duration(of: entry, on: .apple))
                writeGenres(&json, ofArtist: entry.artist)
                json.bool("hasLyrics", hasLyrics(entry))
                json.bool("isAppleDigitalMaster", entry.recording % 3 == 0)
                if let isrc = catalog.isrc(of: entry, on: .apple) { json.string("isrc", isrc) }
                json.string("name", catalog.title(of: entry, on: .apple))
                json.object("playParams") { json in
                    json.string("id", id)
                    json.string("kind", "song")
                }
                json.array("previews") { json in
                    json.object { $0.string("url", previewURL(id)) }
                }
                json.string("releaseDate", dateText(of: entry.release))
                json.number("trackNumber", entry.trackNumber)
                json.string("url", "https://music.apple.com/\(storefront)/album/\(album)?i=\(id)")
            }
            guard !relations.isEmpty else { return }
            json.object("relationships") { json in
                for relation in relations where relation == "albums" || relation == "artists" {
                    json.object(relation) { json in
                        json.string("href", "/v1/catalog/\(storefront)/songs/\(id)/\(relation)")
                        json.array("data") { json in
                            if relation == "albums" {
                                writeAlbum(&json, entry.release, isWhole: true)
                            } else {
                                writeArtist(&json, entry.artist, isWhole: true)
                            }
                        }
                    }
                }
            }
        }
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

    func writeRating(_ json: inout JSONWriter, _ entry: Entry) {
        guard let isExplicit = isExplicit(entry) else { return }
        json.string("contentRating", isExplicit ? "explicit" : "clean")
    }
}
