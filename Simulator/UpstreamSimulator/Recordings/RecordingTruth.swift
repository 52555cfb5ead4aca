/// What the simulator knows about a recording, for scoring: `GET /_sim/recordings`.
struct RecordingTruth: Sendable, Codable {
    struct Listing: Sendable, Codable {
        /// Spotify's id, or Apple's in the requested storefront.
        var id: String
        /// The edition, such as `deluxe`.
        var release: String
        var title: String
        var artist: String
        var album: String
        var durationMs: Int
        /// The ISRC as the service shows it.
        var isrc: String?
        /// The release date as the service has it: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
        var released: String
        /// Apple: `nil` for songs that have neither an explicit nor a clean form.
        var explicit: Bool?
    }

    /// The same number is the same recording.
    var recording: Int
    /// The same number is the same song, perhaps in another version.
    var song: Int
    var version: Version
    /// The same number is the same track to people: the number of the recording or, for a remaster, of the recording
    /// from which it was made.
    var track: Int
    /// The listings of the recording at Spotify, one for each release. All listings are the same recording, on both
    /// services.
    var spotify: [Listing]
    var apple: [Listing]

    init(_ recording: Int, of catalog: RecordingCatalog, storefront: String) {
        self.recording = recording
        let entries = Entry.all(of: recording)
        song = entries[0].song
        version = entries[0].version
        track = entries[0].track
        spotify = entries.map { entry in
            Listing(
                id: catalog.spotifyID(.track, UInt64(entry.number)), release: "\(entry.edition)",
                title: catalog.title(of: entry, on: .spotify),
                artist: catalog.artists(of: entry).map { catalog.name(ofArtist: $0, on: .spotify) }
                    .joined(separator: ", "),
                album: catalog.title(of: entry.release, on: .spotify),
                durationMs: catalog.duration(of: entry, on: .spotify), isrc: catalog.spotifyISRC(of: entry),
                released: catalog.date(of: entry.release).text, explicit: catalog.isExplicit(entry))
        }
        guard catalog.isAvailable(recording, in: storefront) else {
            apple = []
            return
        }
        let documents = AppleMusicDocuments(catalog: catalog, storefront: storefront)
        apple = entries.map { entry in
            Listing(
                id: catalog.appleID(.song, entry.number, storefront: storefront), release: "\(entry.edition)",
                title: catalog.title(of: entry, on: .apple), artist: catalog.appleArtistName(of: entry),
                album: catalog.title(of: entry.release, on: .apple),
                durationMs: catalog.duration(of: entry, on: .apple), isrc: catalog.isrc(of: entry, on: .apple),
                released: documents.dateText(of: entry.release), explicit: documents.isExplicit(entry))
        }
    }
}
