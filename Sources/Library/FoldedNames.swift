import Model

/// The folded title, artist and album of a track. Tracks are found by them, and the keys of lists and the text to
/// search are made from them, so that a write folds each name once: that takes longer than all else it computes.
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

    private init(folded title: String, _ artist: String, _ album: String) {
        (self.title, self.artist, self.album) = (title, artist, album)
    }

    /// The names of a track in the database. Its keys (``LibrarySortKey``) are the folded names, unless they were cut.
    init(titleKey: String, artistKey: String, albumKey: String, of values: TrackValues) {
        let isCut = [titleKey, artistKey, albumKey].contains { $0.utf8.count >= LibrarySortKey.maximumLength }
        self = isCut ? Self(values) : Self(folded: titleKey, artistKey, albumKey)
    }

    var titleKey: String { LibrarySortKey.sortKey(folded: title) }
    var artistKey: String { LibrarySortKey.sortKey(folded: artist) }
    var albumKey: String { LibrarySortKey.sortKey(folded: album) }
}
