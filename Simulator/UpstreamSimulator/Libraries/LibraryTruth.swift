/// Which recording a library's track is: `GET /_sim/NAME/library/truth`.
struct LibraryTruth: Sendable, Codable {
    /// The id under which the library lists the track: Spotify's track id, or Apple's `i.…`.
    var id: String
    /// The same number is the same recording, at both services.
    var recording: Int
    /// The same number is the same song, perhaps in another version.
    var song: Int
    var version: Version
    /// The number of the track, as in ``RecordingTruth``.
    var track: Int
}
