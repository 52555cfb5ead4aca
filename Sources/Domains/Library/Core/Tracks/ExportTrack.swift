import Model

/// A song in the form in which files contain it.
package struct ExportTrack: Sendable, Hashable {
    /// The key of the song in the database. The next page starts after it.
    package var id: Int64
    /// The song's values. Its `sourceID` is the song's key in files.
    package var track: SourceTrack
    /// Whether it is saved in the library, rather than only in playlists.
    package var isSaved: Bool
}
