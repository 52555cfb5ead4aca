/// Which recording a library's track is: `GET /_sim/NAME/library/truth`.
struct LibraryTruth: Sendable, Codable {
    /// As the library lists it: Spotify's track, or Apple's `i.…`.
    var id: String
    /// The same number is the same recording, at both services.
    var recording: Int
    /// The same number is the same song, perhaps in another version.
    var song: Int
    var version: Version
    /// As in ``RecordingTruth``.
    var track: Int
}
