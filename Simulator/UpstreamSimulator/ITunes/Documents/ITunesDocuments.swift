/// A song as the iTunes Search API shows it.
struct ITunesSongDocument: Encodable {
    let wrapperType = "track"
    let kind = "song"
    var artistId: Int
    var collectionId: Int
    var trackId: Int
    var artistName: String
    var collectionName: String
    var trackName: String
    var previewUrl: String?
    var artworkUrl30: String
    var artworkUrl60: String
    var artworkUrl100: String
    var releaseDate: String
    var trackExplicitness: String
    let discNumber = 1
    var trackNumber: Int
    var trackTimeMillis: Int
    let country = "USA"
    let currency = "USD"
    var primaryGenreName: String
    let isStreamable = true
}

/// A list of songs.
struct ITunesPageDocument: Encodable {
    let resultCount: Int
    let results: [ITunesSongDocument]

    init(_ results: [ITunesSongDocument]) {
        resultCount = results.count
        self.results = results
    }
}

struct ITunesErrorDocument: Encodable {
    var errorMessage: String
    let queryParameters = ""
}

/// Makes the documents of the iTunes Search API from the catalog's recordings.
struct ITunesDocuments {
    let catalog: RecordingCatalog
    let storefront: String

    var apple: AppleMusicDocuments { AppleMusicDocuments(catalog: catalog, storefront: storefront) }

    /// One song in forty has no preview.
    func hasPreview(_ entry: Entry) -> Bool { catalog.draw(entry.recording, .picture) % 40 != 7 }

    func song(_ entry: Entry) -> ITunesSongDocument {
        let id = apple.id(of: entry)
        let template = apple.artworkURL(Int(entry.release.number))
        func artwork(_ side: Int) -> String { template.replacing("{w}x{h}", with: "\(side)x\(side)") }
        return ITunesSongDocument(
            artistId: Int(apple.id(ofArtist: entry.artist)) ?? 0, collectionId: Int(apple.id(of: entry.release)) ?? 0,
            trackId: Int(id) ?? 0, artistName: catalog.appleArtistName(of: entry),
            collectionName: catalog.title(of: entry.release, on: .apple),
            trackName: catalog.title(of: entry, on: .apple),
            previewUrl: hasPreview(entry) ? apple.previewURL(id) : nil, artworkUrl30: artwork(30),
            artworkUrl60: artwork(60), artworkUrl100: artwork(100),
            releaseDate: "\(catalog.date(of: entry.release).year)-01-01T12:00:00Z",
            trackExplicitness: apple.isExplicit(entry) == true ? "explicit" : "notExplicit",
            trackNumber: entry.trackNumber, trackTimeMillis: catalog.duration(of: entry, on: .apple),
            primaryGenreName: catalog.genre(ofArtist: entry.artist))
    }
}
