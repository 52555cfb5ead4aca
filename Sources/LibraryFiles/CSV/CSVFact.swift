/// What a column of a table says. The raw values are the heads that Backline writes.
enum CSVFact: String, CaseIterable {
    case title = "Title"
    case artist = "Artist"
    case album = "Album"
    case albumArtist = "Album artist"
    case composer = "Composer"
    case genres = "Genres"
    case duration = "Duration (ms)"
    case isrc = "ISRC"
    case explicit = "Explicit"
    case disc = "Disc"
    case track = "Track"
    case released = "Released"
    case added = "Added"
    case plays = "Plays"
    case lastPlayed = "Last played"
    case rating = "Rating"
    case artwork = "Artwork"
    case uri = "URI"
    case playlist = "Playlist"
    case playlistID = "Playlist ID"
    /// What a row is: a song, an entry of a playlist, an album.
    case kind = "Type"

    // Of other programs alone.

    /// Who has added a song to its playlist.
    case addedBy
    case appleID
    /// When a song was identified, as Shazam tells it.
    case tagged
    /// When a play began, or ended.
    case listened
    case played
    case recordingMBID
    case client
    /// How exact the moment of a play is, as Backline writes it.
    case precision
    /// A moment that is neither of a play nor of adding.
    case otherMoment

    /// The columns of songs that Backline writes.
    static let ofSongs = allCases.prefix { $0 != .playlist }
    /// The columns of a playlist's entries that Backline writes.
    static let ofEntries = allCases.prefix { $0 != .addedBy }

    private static let byHead = CSVHeads.all

    /// The fact that a column has by its head; `nil` for an unknown head.
    init?(head: String) {
        // lastfmstats.com writes the name of the user behind it.
        if head.utf8.count < 100, head.lowercased().hasPrefix("date#") {
            self = .listened
            return
        }
        let name = Self.normalized(head)
        guard let fact = Self.byHead[name] ?? (Self.numberOfArtist(name) == 1 ? .artist : nil) else { return nil }
        self = fact
    }

    /// The number of a column of artists, in tables with one for each artist of a song: `Artist Name 2`.
    static func numberOfArtist(_ name: String) -> Int? {
        let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
        guard digits > 0, byHead[String(name.dropLast(digits))] == .artist else { return nil }
        return Int(decimal: String(name.suffix(digits)), in: 1...20)
    }

    /// Where a song's artists but the first are, in tables with a column for each.
    static func placesOfOtherArtists(_ heads: [String]) -> [Int] {
        heads.indices.filter { (numberOfArtist(normalized(heads[$0])) ?? 1) > 1 }
    }

    /// Whether a name, also of a member of JSON, says this.
    func isNamed(by name: String) -> Bool { CSVFact(head: name) == self }

    /// In small letters and digits alone.
    static func normalized(_ head: String) -> String {
        // No known head is as long.
        head.prefix(100).lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
