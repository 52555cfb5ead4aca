/// Writes the catalog's recordings as Spotify's Web API shows them.
struct SpotifyWriter: Sendable {
    let catalog: RecordingCatalog
    let mode: SpotifySettings.Mode
    /// The country of a call that named a market: then tracks say whether they can be played there.
    var market: String?
    /// Titles that a library has changed, by the number of the entry.
    var titles: [UInt32: String] = [:]

    private static let api = "https://api.spotify.com/v1"
    private static let open = "https://open.spotify.com"
    private static let markets = [
        "AD", "AR", "AT", "AU", "BE", "BR", "CA", "CH", "CZ", "DE", "DK", "ES", "FI", "FR", "GB", "IE", "IT", "JP",
        "NL", "NO", "PL", "PT", "SE", "US",
    ]

    /// Writes the members with which every object identifies itself.
    func writeIdentity(_ json: inout JSONWriter, _ type: String, id: String) {
        json.object("external_urls") { $0.string("spotify", "\(Self.open)/\(type)/\(id)") }
        json.string("href", "\(Self.api)/\(type)s/\(id)")
        json.string("id", id)
        json.string("type", type)
        json.string("uri", "spotify:\(type):\(id)")
    }

    private func writeMarkets(_ json: inout JSONWriter) {
        guard mode == .legacy else { return }
        json.array("available_markets") { json in
            for market in Self.markets { json.string(nil, market) }
        }
    }

    // MARK: Artists

    func id(ofArtist artist: Int) -> String { catalog.spotifyID(.artist, UInt64(artist)) }

    private func writeArtists(_ json: inout JSONWriter, _ artists: [Int]) {
        json.array("artists") { json in
            for artist in artists {
                json.object { json in
                    writeIdentity(&json, "artist", id: id(ofArtist: artist))
                    json.string("name", catalog.name(ofArtist: artist, on: .spotify))
                }
            }
        }
    }

    /// Writes the full object; in development mode without `followers` and `popularity`, and with no genres.
    func writeArtist(_ json: inout JSONWriter, key: String? = nil, _ artist: Int) {
        json.object(key) { json in
            writeIdentity(&json, "artist", id: id(ofArtist: artist))
            json.string("name", catalog.name(ofArtist: artist, on: .spotify))
            json.array("genres") { json in
                if mode == .legacy { json.string(nil, catalog.genre(ofArtist: artist).lowercased()) }
            }
            writeImages(&json, "artist", artist, sizes: [640, 320, 160])
            guard mode == .legacy else { return }
            json.object("followers") { json in
                json.null("href")
                json.number("total", Int(catalog.draw(artist, .popularity) % 5_000_000))
            }
            json.number("popularity", Int(catalog.draw(artist, .popularity) % 90))
        }
    }

    // MARK: Pictures

    /// Writes the pictures, the widest first; one object in fifty has none.
    private func writeImages(_ json: inout JSONWriter, _ kind: String, _ subject: Int, sizes: [Int] = [640, 300, 64]) {
        let picture = catalog.draw(subject, .picture)
        json.array("images") { json in
            guard picture % 50 != 0 else { return }
            for size in sizes {
                json.object { json in
                    json.number("height", size)
                    let subject = "\(kind)\(String(picture, radix: 16))"
                    json.string(
                        "url",
                        SimulatedMedia.address(
                            real: "https://i.scdn.co/image/ab6761\(subject)\(size)",
                            path: SimulatedMedia.picturePath(subject, "\(size)x\(size)")))
                    json.number("width", size)
                }
            }
        }
    }

    // MARK: Tracks

    /// Writes a track of the catalog with its album.
    ///
    /// - Parameter isEntry: whether the track is in a playlist, where it has two more members.
    func writeTrack(_ json: inout JSONWriter, key: String? = nil, _ entry: Entry, isEntry: Bool = false) {
        json.object(key) { json in
            json.object("album") { json in writeAlbumMembers(&json, entry.release) }
            writeTrackMembers(&json, entry)
            writeExternalIDs(&json, entry)
            if mode == .legacy { json.number("popularity", catalog.popularity(of: entry)) }
            guard isEntry else { return }
            json.bool("episode", false)
            json.bool("track", true)
        }
    }

    /// Writes the members that are also in an album's list of tracks.
    private func writeTrackMembers(_ json: inout JSONWriter, _ entry: Entry) {
        writeArtists(&json, catalog.artists(of: entry))
        writeMarkets(&json)
        json.number("disc_number", 1)
        json.number("duration_ms", catalog.duration(of: entry, on: .spotify))
        json.bool("explicit", catalog.isExplicit(entry))
        writeIdentity(&json, "track", id: catalog.spotifyID(.track, UInt64(entry.number)))
        json.bool("is_local", false)
        if let market {
            let isPlayable = catalog.isPlayable(entry.recording, in: market)
            json.bool("is_playable", isPlayable)
            if !isPlayable { json.object("restrictions") { $0.string("reason", "market") } }
        }
        json.string("name", titles[entry.number] ?? catalog.title(of: entry, on: .spotify))
        json.null("preview_url")
        json.number("track_number", entry.trackNumber)
    }

    /// A track without a code has an empty object, an object of other codes, or no member at all.
    private func writeExternalIDs(_ json: inout JSONWriter, _ entry: Entry) {
        if let isrc = catalog.spotifyISRC(of: entry) {
            json.object("external_ids") { $0.string("isrc", isrc) }
            return
        }
        switch catalog.draw(entry.recording, .isrcForm) % 3 {
        case 0: json.object("external_ids") { _ in }
        case 1: json.object("external_ids") { $0.string("ean", "4006381333931") }
        default: break
        }
    }

    // MARK: Albums

    private func writeAlbumMembers(_ json: inout JSONWriter, _ release: Release) {
        json.string("album_type", albumType(of: release))
        writeArtists(&json, [release.artist])
        writeMarkets(&json)
        writeIdentity(&json, "album", id: catalog.spotifyID(.album, UInt64(release.number)))
        writeImages(&json, "6d", Int(release.number))
        json.string("name", catalog.title(of: release, on: .spotify))
        let date = catalog.date(of: release)
        json.string("release_date", date.text)
        json.string("release_date_precision", date.precision.rawValue)
        json.number("total_tracks", release.edition.slots.count)
    }

    func albumType(of release: Release) -> String {
        switch release.edition {
        case .single: "single"
        case .best: "compilation"
        default: "album"
        }
    }

    /// - Parameter group: how the release relates to an artist, in the list of that artist's releases; development mode
    ///   does not have it.
    func writeSimplifiedAlbum(_ json: inout JSONWriter, _ release: Release, group: String? = nil) {
        json.object { json in
            writeAlbumMembers(&json, release)
            if let group, mode == .legacy { json.string("album_group", group) }
        }
    }

    /// Writes the full object with its first page of tracks.
    ///
    /// - Parameter base: the beginning of that page's links.
    func writeAlbum(_ json: inout JSONWriter, key: String? = nil, _ release: Release, base: String) {
        json.object(key) { json in
            writeAlbumMembers(&json, release)
            json.array("copyrights") { json in
                json.object { json in
                    json.string("text", "\(catalog.date(of: release).year) Simulated Records")
                    json.string("type", "C")
                }
            }
            json.object("external_ids") { json in
                json.string("upc", catalog.upc(of: release))
            }
            json.array("genres") { _ in }
            if mode == .legacy {
                json.string("label", "Simulated Records")
                json.number("popularity", Int(catalog.draw(Int(release.number), .popularity) % 90))
            }
            let id = catalog.spotifyID(.album, UInt64(release.number))
            let first = SpotifyPage(limit: 50, offset: 0)
            writeTracks(&json, key: "tracks", of: release, first, base: "\(base)/albums/\(id)/tracks")
        }
    }

    /// Writes a page of an album's tracks, which have neither album nor codes.
    ///
    /// - Parameter query: what the page's links repeat.
    func writeTracks(
        _ json: inout JSONWriter, key: String? = nil, of release: Release, _ page: SpotifyPage, base: String,
        query: String = ""
    ) {
        let slots = release.edition.slots
        page.write(&json, key: key, url: base, query: query, total: slots.count) { json in
            for slot in slots.dropFirst(page.offset).prefix(page.limit) {
                let recording = release.artist * RecordingSlot.count + slot
                json.object { json in
                    writeTrackMembers(&json, Entry(recording: recording, edition: release.edition))
                }
            }
        }
    }
}
