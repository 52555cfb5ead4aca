/// A change of a library between calls: the body of `POST /_sim/NAME/library/changes`. Its members are applied in this
/// order.
struct LibraryChange: Sendable, Codable {
    /// When a change happens, if not at once.
    struct After: Sendable, Codable {
        var list: LibraryList
        /// The number of the page, counted from now on, after which the change happens.
        var page: Int
    }

    /// A request right before or right after which a change happens.
    struct At: Sendable, Codable {
        enum Moment: String, Sendable, Codable {
            /// Before the request takes effect.
            case before
            /// After the request took effect, and before its answer is sent.
            case after
        }

        /// The condition, as in ``FaultRule``; if absent, every request to the service matches.
        var match: FaultRule.Match?
        /// The number of the matching request, counted from now on; 1 if absent.
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
            /// Adds the same entries at ``position``.
            case insert
            /// Removes the first entry of each of ``songs``, or ``count`` entries from ``position`` on.
            case remove
            /// Removes the first ``count`` entries, and adds as many at the end, so that the number does not change.
            case replace
            /// Moves the entry at ``position`` to ``to``; if they are absent, the first one to the end.
            case reorder
            case empty
            case delete
            /// Makes a playlist of ``count`` entries, the first of the list.
            case create
            /// Sets ``name``.
            case rename
        }

        /// The playlist's id. One of ``id``, ``index`` and ``called`` names the playlist, except for `create`.
        var id: String?
        /// The position in the list of playlists.
        var index: Int?
        /// The playlist's name; it refers to the first playlist of the list that has it.
        var called: String?
        var edit: Kind
        /// The number of entries; 1 if absent.
        var count: Int?
        var name: String?
        /// Library ids of songs, with `append`, `insert`, `remove` and `create`.
        var songs: [String]?
        /// The position, from 0. A position beyond the last entry means the end.
        var position: Int?
        /// The position of a moved entry afterwards.
        var to: Int?
        /// Apple Music, with `append`: the calls of the library until the entries show. The playlist's date changes at
        /// once.
        var showsAfterCalls: Int?
    }

    /// The person, as in ``LibraryPlan``.
    var person: String?
    var after: After?
    /// The request at which the change happens; not together with ``after``.
    var at: At?
    /// Whether to show everything that Apple Music does not show yet.
    var showAll: Bool?
    /// Library ids of tracks to remove.
    var removeIds: [String]?
    /// The number of tracks to remove, chosen by the seed.
    var remove: Int?
    /// The number of tracks to add that the library never had.
    var add: Int?
    /// How many tracks to replace by others, so that `total` does not change.
    var replace: Int?
    /// The number of recently removed tracks to add again.
    var readd: Int?
    var rename: Rename?
    var addAlbums: Int?
    /// The number of albums to remove, the last saved ones first.
    var removeAlbums: Int?
    var playlists: [PlaylistEdit]?
    /// The number of tracks of the library to play.
    var play: Int?
}
