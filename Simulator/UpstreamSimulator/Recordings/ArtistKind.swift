/// Which songs an artist of the catalog records.
enum ArtistKind: Sendable {
    case ordinary
    /// Records songs of many artists to sing along with.
    case karaoke
    /// Records all songs of one artist.
    case tribute

    /// The artist's number determines it: two in fifty record others' songs.
    init(artist: Int) {
        switch artist % 50 {
        case 24: self = .tribute
        case 49: self = .karaoke
        default: self = .ordinary
        }
    }

    /// The ordinary artist whose song an artist records.
    ///
    /// - Parameter song: a slot below ``RecordingSlot/songs``.
    static func owner(ofSong song: Int, artist: Int) -> Int {
        switch ArtistKind(artist: artist) {
        case .ordinary: artist
        // There are 24 ordinary artists before each of both kinds, and 22 songs.
        case .karaoke: artist - 1 - song
        case .tribute: artist - 1
        }
    }
}
