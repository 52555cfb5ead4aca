/// The state of a playlist that edits need.
struct EditedPlaylist: Sendable, Hashable {
    var sourceID: String
    var name: String
    var entryCount: Int
    var shownVersion: Int64
    /// The service's version of the entries that are in the library.
    var upstreamVersion: String?
    /// Whether the next sync reads the entries.
    var isDue: Bool
}
