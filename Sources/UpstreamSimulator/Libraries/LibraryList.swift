/// The lists whose pages are counted for changes in the middle of a paging.
enum LibraryList: String, Sendable, Codable {
    case tracks, albums, playlists
    /// The entries of any playlist.
    case items
}
