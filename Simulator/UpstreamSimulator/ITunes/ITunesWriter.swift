/// Writes the catalog's recordings as the iTunes Search API shows them.
struct ITunesWriter: Sendable {
    let catalog: RecordingCatalog
    let storefront: String

    var apple: AppleMusicWriter { AppleMusicWriter(catalog: catalog, storefront: storefront) }

    /// One song in forty has no preview.
    func hasPreview(_ entry: Entry) -> Bool { catalog.draw(entry.recording, .picture) % 40 != 7 }

    func writeSong(_ json: inout JSONWriter, _ entry: Entry) {
        let id = apple.id(of: entry)
        json.object { json in
            json.string("wrapperType", "track")
            json.string("kind", "song")
            json.number("artistId", Int(apple.id(ofArtist: entry.artist)) ?? 0)
            json.number("collectionId", Int(apple.id(of: entry.release)) ?? 0)
            json.number("trackId", Int(id) ?? 0)
            json.string("artistName", catalog.appleArtistName(of: entry))
            json.string("collectionName", catalog.title(of: entry.release, on: .apple))
            json.string("trackName", catalog.title(of: entry, on: .apple))
            if hasPreview(entry) { json.string("previewUrl", apple.previewURL(id)) }
            for side in [30, 60, 100] {
                let template = apple.artworkURL(Int(entry.release.number))
                json.string("artworkUrl\(side)", template.replacing("{w}x{h}", with: "\(side)x\(side)"))
            }
            json.string("releaseDate", "\(catalog.date(of: entry.release).year)-01-01T12:00:00Z")
            json.string("trackExplicitness", apple.isExplicit(entry) == true ? "explicit" : "notExplicit")
            json.number("discNumber", 1)
            json.number("trackNumber", entry.trackNumber)
            json.number("trackTimeMillis", catalog.duration(of: entry, on: .apple))
            json.string("country", "USA")
            json.string("currency", "USD")
            json.string("primaryGenreName", catalog.genre(ofArtist: entry.artist))
            json.bool("isStreamable", true)
        }
    }
}
