/// What sets a recording of a song apart from the song's first recording.
enum Version: String, Sendable, Codable {
    case original, acoustic, live, remix, extended, spedUp, demo, radioEdit, clean, instrumental, remaster
    /// A recording by somebody else, to sing along with.
    case karaoke
    /// A recording by somebody else.
    case cover
}
