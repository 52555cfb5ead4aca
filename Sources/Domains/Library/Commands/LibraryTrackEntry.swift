/// A track of the library, with the fields that the table needs.
struct LibraryTrackEntry: Decodable, Equatable {
    var title: String
    var artist: String
    var album: String
    var durationMs: Int?
    /// The services that have it, as the API names them.
    var sources: [String]
    /// Whether it is, or was, saved at a service. Otherwise it is only in a playlist.
    var inLibrary: Bool
    /// The time since which no service has it saved (RFC 3339).
    var missingSince: String?
}

/// A page of `GET /v1/library/tracks`.
struct LibraryTrackPage: Decodable, Equatable {
    var items: [LibraryTrackEntry]
    /// The number of tracks of the whole list.
    var total: Int
    var nextCursor: String?
}
