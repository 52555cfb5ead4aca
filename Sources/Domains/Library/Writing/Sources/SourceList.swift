/// The lists that a sync reads from each source, in this order, since playlists refer to tracks.
package enum SourceList: String, Sendable, Codable, CaseIterable {
    case tracks
    case playlists
    case albums

    /// The name of the list's items in the change log and in the table of sightings.
    package var item: String {
        switch self {
        case .tracks: "track"
        case .playlists: "playlist"
        case .albums: "album"
        }
    }

    /// The name of an item among the sightings of the list's second scan in a sync.
    package var seenAgain: String { item + "Again" }

    /// The table that contains the list's items.
    package var table: StaticString {
        switch self {
        case .tracks: "library_source_tracks"
        case .playlists: "library_playlists"
        case .albums: "library_albums"
        }
    }
}
