/// The lists whose pages are counted, for changes that happen while a client pages through them.
enum LibraryList: String, Sendable, Codable {
    case tracks, albums, playlists
    /// The entries of any playlist.
    case items
}
