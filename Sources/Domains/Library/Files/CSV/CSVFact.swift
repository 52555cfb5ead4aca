/// The meaning of a table's column. The raw values are the headings that Backline writes.
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
    /// What a row is, such as a song, a playlist entry or an album.
    case kind = "Type"

    // Only other programs write these.

    /// Who added the song to its playlist.
    case addedBy
    case appleID
    /// When Shazam identified the song.
    case tagged
    /// When a play started or ended.
    case listened
    /// How long a song was played, in milliseconds.
    case played
    case playedSeconds
    case recordingMBID
    case client
    /// The precision of a play's time, as Backline writes it.
    case precision
    /// A time that is neither that of a play nor when the song was added.
    case otherMoment

    /// The columns that Backline writes for songs.
    static let ofSongs = allCases.prefix { $0 != .playlist }
    /// The columns that Backline writes for a playlist's entries.
    static let ofEntries = allCases.prefix { $0 != .addedBy }

    private static let byHead = CSVHeads.all

    /// Recognizes a column by its heading; `nil` for an unknown one.
    init?(head: String) {
        // lastfmstats.com appends the name of the user.
        if head.utf8.count < 100, head.lowercased().hasPrefix("date#") {
            self = .listened
            return
        }
        let name = Self.normalized(head)
        guard let fact = Self.byHead[name] ?? (Self.numberOfArtist(name) == 1 ? .artist : nil) else { return nil }
        self = fact
    }

    /// The number of an artist's column, in tables with one for each artist of a song: 2 for `Artist Name 2`.
    static func numberOfArtist(_ name: String) -> Int? {
        let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
        guard digits > 0, byHead[String(name.dropLast(digits))] == .artist else { return nil }
        return Int(decimal: String(name.suffix(digits)), in: 1...20)
    }

    /// The columns of a song's artists after the first, in tables with a column for each artist.
    static func otherArtistColumns(_ heads: [String]) -> [Int] {
        heads.indices.filter { (numberOfArtist(normalized(heads[$0])) ?? 1) > 1 }
    }

    /// Whether a heading, or the name of a JSON member, has this meaning.
    func isNamed(by name: String) -> Bool { CSVFact(head: name) == self }

    /// The heading in lower case, with nothing but letters and digits.
    static func normalized(_ head: String) -> String {
        // No known heading is this long.
        head.prefix(100).lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
