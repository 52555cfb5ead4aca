import Identity
import Model

/// A song that may be in a list, with what is known about it.
package struct CandidateSong: Sendable, Hashable {
    package var reference: String
    package var title: String
    package var artist: String
    package var album: String
    package var genres: [String] = []
    package var year: Int?
    package var durationMs: Int?
    package var isrc: String?
    package var isExplicit: Bool?
    package var origin: CuratedTrack.Origin
    package var plays = 0
    package var addedAt: Timestamp?
    /// How many of the person's playlists contain it together with songs that the list is based on.
    package var sharedPlaylists = 0
    /// In how many listening sessions it was heard together with songs that the list is based on.
    package var sharedSessions = 0
    /// How strongly these playlists and sessions connect it to them, from 0 to 1.
    package var connection = 0.0
    /// How many albums contain it together with songs that the list is based on.
    package var sharedAlbums = 0
    /// How strongly these albums connect it to them, from 0 to 1.
    package var albumConnection = 0.0
    /// Whether the person has marked it as loved.
    package var isLoved = false

    package init(
        reference: String, title: String, artist: String, album: String, origin: CuratedTrack.Origin
    ) {
        (self.reference, self.title, self.artist, self.album) = (reference, title, artist, album)
        self.origin = origin
    }

    var record: IdentityRecord {
        IdentityRecord(
            title: title, artist: artist, album: album, durationMs: durationMs, isrc: isrc, isExplicit: isExplicit)
    }

    /// The artist in the form that is counted and excluded: folded, so that different spellings are equal.
    var artistKey: String { FoldedText.words(of: artist).joined(separator: " ") }
}

/// An artist whose songs a library has.
package struct KnownArtist: Sendable, Hashable {
    package var name: String
    package var songs: Int

    package init(name: String, songs: Int) { (self.name, self.songs) = (name, songs) }
}

/// What is known about a person when a list is made for them.
package struct CurationContext: Sendable {
    /// The songs in the library that the list may be made from.
    package var candidates: [CandidateSong]
    /// The songs that the list is based on: requested ones, a playlist's, or those heard recently.
    package var seeds: [CandidateSong]
    /// The artists of the candidates, by their names as the songs have them.
    package var artists: [String: KnownArtist]
    /// Songs that were heard within the time that the request excludes, as edits name them.
    package var heard: Set<String>
    /// Songs that were heard within that time but are not in the library.
    package var heardElsewhere: [IdentityRecord] = []
    /// Songs that the list goes with but does not repeat: those of a playlist to grow, or those it is based on.
    package var present: Set<String>
    /// Songs that the request excludes, both as edits name them and by their ids in the library.
    package var excluded: Set<String> = []
    /// Songs that the person does not want in any list, in the same form.
    package var dismissed: Set<String> = []
    /// The descriptions of the dismissed songs, where they are known.
    package var dismissedSongs: [IdentityRecord] = []
    package var remastersAreSame: Bool
    /// A number that changes with the library.
    package var libraryVersion: Int64

    package init(
        candidates: [CandidateSong], seeds: [CandidateSong] = [], artists: [KnownArtist] = [],
        heard: Set<String> = [], present: Set<String> = [], remastersAreSame: Bool = true, libraryVersion: Int64 = 0
    ) {
        (self.candidates, self.seeds, self.heard, self.present) = (candidates, seeds, heard, present)
        self.artists = Dictionary(artists.map { ($0.name, $0) }) { first, _ in first }
        (self.remastersAreSame, self.libraryVersion) = (remastersAreSame, libraryVersion)
    }
}
