/// The state of a library after a command: the answer of the routes.
struct LibrarySummary: Sendable, Codable {
    struct Playlist: Sendable, Codable {
        var id: String
        var name: String
        var total: Int
        var isOwn: Bool
        /// Spotify.
        var snapshotId: String?
        /// With tastes, Spotify's ids of songs that are suitable continuations.
        var withheld: [String]?
    }

    var person: String
    /// Saved tracks that can be read.
    var tracks: Int
    /// The saved tracks that the service counts.
    var total: Int
    var albums: Int
    var playlists: [Playlist]
    /// Library ids that the command added or removed.
    var added: [String] = []
    var removed: [String] = []
    /// Changes that wait for a page.
    var waiting: Int
}
