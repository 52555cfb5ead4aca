/// A playlist that a person has made or follows.
struct SavedPlaylist: Sendable {
    enum Content: Sendable, Equatable {
        case track(Entry)
        /// Apple: a song of the library without an entry in the catalog.
        case upload(Entry)
        /// Apple: an entry that refers to a song of the catalog.
        case catalogSong(Entry)
        /// Apple: a music video.
        case video(Int)
        /// Spotify: a file on the person's own computer.
        case local(Int)
        /// Spotify: a podcast episode.
        case episode(Int)
        /// Spotify: an item that no longer exists.
        case unavailable
    }

    struct Item: Sendable, Equatable {
        var content: Content
        /// When the entry was added, in seconds since 1970; 0 if unknown, as in very old playlists.
        var addedAt: UInt32
    }

    /// The picture of a playlist.
    enum Picture: Sendable { case none, empty, cover }

    var id: String
    var name: String
    /// The description as the service sends it.
    var description: String?
    /// Spotify's id of its owner.
    var owner: String
    /// Spotify: whether it is public; `nil` for playlists for which that is unknown.
    var isPublic: Bool?
    var isCollaborative = false
    var picture = Picture.cover
    var items: [Item]
    /// The number of edits, from 1.
    var revision: UInt32 = 1
    /// When it was last changed, in seconds since 1970.
    var changedAt: UInt32
}
