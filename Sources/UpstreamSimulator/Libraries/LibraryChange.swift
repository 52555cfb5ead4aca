/// A change of a library between calls: the body of `POST /_sim/NAME/library/changes`. Its members apply in this
/// order.
struct LibraryChange: Sendable, Codable {
    /// When a change happens, if not at once.
    struct After: Sendable, Codable {
        var list: LibraryList
        /// Counts the list's pages from now on; the change follows this one.
        var page: Int
    }

    /// A request that a change comes right before or right after.
    struct At: Sendable, Codable {
        enum Moment: String, Sendable, Codable {
            /// Before the request takes effect.
            case before
            /// After it took effect, and before its answer leaves.
            case after
        }

        /// As in ``FaultRule``; every request of the service matches when it is left out.
        var match: FaultRule.Match?
        /// Counts the requests that match from now on; 1 when it is left out.
        var request: Int?
        var moment: Moment
    }

    struct Rename: Sendable, Codable {
        /// The track's id as the library lists it.
        var id: String
        var title: String
    }

    /// An edit of one playlist.
    struct PlaylistEdit: Sendable, Codable {
        enum Kind: String, Sendable, Codable {
            /// Adds entries at the end: ``songs``, or ``count`` songs that the library never had.
            case append
            /// The same at ``position``.
            case insert
            /// Removes the first entry of each of ``songs``, or ``count`` entries from ``position`` on.
            case remove
            /// Removes the first ``count`` entries, and adds as many at the end: the number stays.
            case replace
            /// Moves the entry at ``position`` to ``to``: the first to the end when they are left out.
            case reorder
            case empty
            case delete
            /// Makes a playlist of ``count`` entries, the first of the list.
            case create
            /// Sets ``name``.
            case rename
        }

        /// One of ``id``, ``index`` and ``called`` names the playlist, except for `create`.
        var id: String?
        /// The position in the list of playlists.
        var index: Int?
        /// The name: the first of the list that has it.
        var called: String?
        var edit: Kind
        /// 1 when it is left out.
        var count: Int?
        var name: String?
        /// Library ids of songs, with `append`, `insert`, `remove` and `create`.
        var songs: [String]?
        /// From 0. What is beyond the last entry is its end.
        var position: Int?
        /// Where an entry that moves is afterwards.
        var to: Int?
        /// Apple Music, with `append`: the calls of the library until the entries show. The playlist's date changes at
        /// once.
        var showsAfterCalls: Int?
    }

    /// As in ``LibraryPlan``.
    var person: String?
    var after: After?
    /// Not together with ``after``.
    var at: At?
    /// Lets everything show that Apple Music does not show yet.
    var showAll: Bool?
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
