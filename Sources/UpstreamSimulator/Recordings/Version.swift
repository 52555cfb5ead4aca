/// What sets a recording of a song apart from the song's first recording.
enum Version: String, Sendable, Codable {
    case original, acoustic, live, remix, demo, radioEdit, instrumental, remaster
}
