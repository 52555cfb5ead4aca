/// What sets a recording of a song apart from the song's first recording.
enum Version: String, Sendable, Codable {
    case original, acoustic, live, remix, extended, spedUp, demo, radioEdit, clean, instrumental, remaster
    /// By somebody else, to sing along with.
    case karaoke
    /// By somebody else.
    case cover
}
