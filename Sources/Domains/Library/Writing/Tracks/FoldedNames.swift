import Library
import Model

/// The folded title, artist and album of a track. Sort keys and the search text are derived from them, so a write folds
/// each name only once.
struct FoldedNames: Sendable, Hashable {
    let title: String
    let artist: String
    let album: String

    init(title: String, artist: String, album: String) {
        self.title = SearchText.folded(title)
        self.artist = SearchText.folded(artist)
        self.album = SearchText.folded(album)
    }

    init(_ track: SourceTrack) {
        self.init(title: track.title, artist: track.artist, album: track.album)
    }

    init(_ values: TrackValues) {
        self.init(title: values.title, artist: values.artist, album: values.album)
    }

    var titleKey: String { LibrarySortKey.sortKey(folded: title) }
    var artistKey: String { LibrarySortKey.sortKey(folded: artist) }
    var albumKey: String { LibrarySortKey.sortKey(folded: album) }
}

extension SearchText {
    init(_ names: FoldedNames) {
        self.init(folded: [names.title, names.artist, names.album])
    }
}
