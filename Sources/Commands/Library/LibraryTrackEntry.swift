/// A track of the library, with the fields that the table needs.
struct LibraryTrackEntry: Decodable, Equatable {
    var title: String
    var artist: String
    var album: String
    var durationMs: Int?
    /// The services that have it, as the API names them.
    var sources: [String]
    /// Whether it is, or was, saved at a service. Otherwise it is in a playlist only.
    var inLibrary: Bool
    /// Since when no service has it saved any more (RFC 3339).
    var missingSince: String?
}

/// A page of `GET /v1/library/tracks`.
struct LibraryTrackPage: Decodable, Equatable {
    var items: [LibraryTrackEntry]
    /// The number of tracks of the whole list.
    var total: Int
    var nextCursor: String?
}
