/// A kind of file, by its content. The set is open: a reader declares the kind of its files here.
package struct LibraryFileKind: Sendable, Hashable {
    /// The name in the API.
    package let rawValue: String
    /// Whether the file lists listens, and not songs or playlists.
    package let hasListens: Bool

    init(_ rawValue: String, hasListens: Bool = false) {
        (self.rawValue, self.hasListens) = (rawValue, hasListens)
    }
}

/// Files of songs and playlists.
extension LibraryFileKind {
    /// What Apple's Music app and iTunes export.
    package static let appleMusicLibrary = LibraryFileKind("appleMusicLibrary")
    /// The songs and playlists of Spotify's account data.
    package static let spotifyLibrary = LibraryFileKind("spotifyLibrary")
    /// What Backline exports.
    package static let backline = LibraryFileKind("backline")
    package static let csv = LibraryFileKind("csv")
    package static let jspf = LibraryFileKind("jspf")
    package static let xspf = LibraryFileKind("xspf")
    /// The songs that Shazam identified.
    package static let shazam = LibraryFileKind("shazam")
    /// Several files of the other kinds.
    package static let zip = LibraryFileKind("zip")
}

/// Files of listens.
extension LibraryFileKind {
    /// Spotify's extended streaming history.
    package static let spotifyHistory = LibraryFileKind("spotifyHistory", hasListens: true)
    /// Spotify's account data for the last year.
    package static let spotifyAccountData = LibraryFileKind("spotifyAccountData", hasListens: true)
    /// Listens in the form of ListenBrainz.
    package static let listenBrainz = LibraryFileKind("listenBrainz", hasListens: true)
    /// Listens of Last.fm.
    package static let lastfm = LibraryFileKind("lastfm", hasListens: true)
    /// The play activity of Apple's privacy export.
    package static let appleMusicActivity = LibraryFileKind("appleMusicActivity", hasListens: true)
    /// Listens of Maloja.
    package static let maloja = LibraryFileKind("maloja", hasListens: true)
    /// Listens of Koito.
    package static let koito = LibraryFileKind("koito", hasListens: true)
    /// Listens in Backline's own columns.
    package static let listens = LibraryFileKind("listens", hasListens: true)
    /// Listens in the columns of another program.
    package static let listenTable = LibraryFileKind("listenTable", hasListens: true)
}
