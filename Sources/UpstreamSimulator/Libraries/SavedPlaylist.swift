/// A playlist that a person has made or follows.
struct SavedPlaylist: Sendable {
    enum Content: Sendable, Equatable {
        case track(Entry)
        /// Apple: a song of the library without an entry in the catalogue.
        case upload(Entry)
        /// Apple: an entry that names the catalogue's song.
        case catalogueSong(Entry)
        /// Apple.
        case video(Int)
        /// Spotify: a file on the person's own computer.
        case local(Int)
        /// Spotify.
        case episode(Int)
        /// Spotify: something that is not there any more.
        case unavailable
    }

    struct Item: Sendable, Equatable {
        var content: Content
        /// Seconds since 1970; 0 is unknown, as in very old playlists.
        var addedAt: UInt32
    }

    /// What a playlist has for a picture.
    enum Picture: Sendable { case none, empty, cover }

    var id: String
    var name: String
    /// As the service sends it.
    var description: String?
    /// Spotify's id of its owner.
    var owner: String
    /// Spotify: neither public nor private is known of some.
    var isPublic: Bool?
    var isCollaborative = false
    var picture = Picture.cover
    var items: [Item]
    /// Counts the edits.
    var revision: UInt32 = 1
    /// Seconds since 1970.
    var changedAt: UInt32
}
