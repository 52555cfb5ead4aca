/// A change of a library between calls: the body of `POST /_sim/NAME/library/changes`. Its members apply in this
/// order.
struct LibraryChange: Sendable, Codable {
    /// When a change happens, if not at once.
    struct After: Sendable, Codable {
        var list: LibraryList
        /// Counts the list's pages from now on; the change follows this one.
        var page: Int
    }

    struct Rename: Sendable, Codable {
        /// The track's id as the library lists it.
        var id: String
        var title: String
    }

    /// An edit of one playlist.
    struct PlaylistEdit: Sendable, Codable {
        enum Kind: String, Sendable, Codable {
            /// Adds ``count`` entries at the end.
            case append
            /// Removes the first ``count`` entries.
            case remove
            /// Removes the first ``count`` entries, and adds as many at the end: the number stays.
            case replace
            /// Moves the first entry to the end.
            case reorder
            case empty
            case delete
            /// Makes a playlist of ``count`` entries, the first of the list.
            case create
            /// Sets ``name``.
            case rename
        }

        /// One of ``id`` and ``index`` names the playlist, except for `create`.
        var id: String?
        /// The position in the list of playlists.
        var index: Int?
        var edit: Kind
        /// 1 when it is left out.
        var count: Int?
        var name: String?
    }

    /// As in ``LibraryPlan``.
    var person: String?
    var after: After?
    /// Library ids of tracks to remove.
    var removeIds: [String]?
    /// The number of tracks to remove, chosen by the seed.
    var remove: Int?
    /// The number of tracks to add that the library never had.
    var add: Int?
    /// One in and one out, so many times: `total` stays.
    var replace: Int?
    /// The number of tracks to add again, of those removed last.
    var readd: Int?
    var rename: Rename?
    var addAlbums: Int?
    /// Removes those saved last.
    var removeAlbums: Int?
    var playlists: [PlaylistEdit]?
    /// The number of tracks of the library to play.
    var play: Int?
}
