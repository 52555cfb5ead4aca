import LibraryFiles
import Model

/// A playlist entry in the form in which files contain it.
package struct ExportEntry: Sendable, Hashable {
    package var position: Int
    /// `nil` if the entry is not a song.
    package var track: SourceTrack?
    package var title: String?
    package var addedAt: Timestamp?
    package var kind: FilePlaylist.Entry.Kind

    /// The entry to write to a file.
    package var file: FilePlaylist.Entry {
        FilePlaylist.Entry(
            key: track?.sourceID, title: track == nil ? title : nil, addedAt: addedAt,
            kind: track == nil && kind == .track ? .unavailable : kind)
    }
}
