import Identity
import Model

/// A song that may be in a list, with what is stored about it.
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
    /// How many of the person's playlists have it together with songs that the list is based on.
    package var sharedPlaylists = 0
    /// In how many sessions it was heard together with songs that the list is based on.
    package var sharedSessions = 0
    /// How strongly these playlists and sessions connect it with them, from 0 to 1.
    package var connection = 0.0
    /// How many albums have it together with songs that the list is based on.
    package var sharedAlbums = 0
    /// How strongly these albums connect it with them, from 0 to 1.
    package var albumConnection = 0.0
    /// Whether the person has said that they love it.
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

    /// The artist as it is counted and excluded: folded, so that spellings are one.
    var artistKey: String { FoldedText.words(of: artist).joined(separator: " ") }
}

/// An artist of whom a library has songs.
package struct KnownArtist: Sendable, Hashable {
    package var name: String
    package var songs: Int

    package init(name: String, songs: Int) { (self.name, self.songs) = (name, songs) }
}

/// What is known of a person when a list is made for them.
package struct CurationContext: Sendable {
    /// Songs of the library that the list may be made from.
    package var candidates: [CandidateSong]
    /// Songs that the list begins from: those that were asked for, a playlist's, or those heard lately.
    package var seeds: [CandidateSong]
    /// The artists of candidates, by their names as the songs have them.
    package var artists: [String: KnownArtist]
    /// Songs that were heard in the time that the request excludes, as edits name them.
    package var heard: Set<String>
    /// What was heard in that time and the library does not have.
    package var heardElsewhere: [IdentityRecord] = []
    /// Songs that the list goes with and does not repeat: those of a playlist that grows, or those it is based on.
    package var present: Set<String>
    /// Songs that the request excludes, as edits name them and by their ids in the library.
    package var excluded: Set<String> = []
    /// Songs that the person does not want in any list, likewise.
    package var dismissed: Set<String> = []
    /// What these songs are, as far as is known.
    package var dismissedSongs: [IdentityRecord] = []
    package var remastersAreSame: Bool
    /// Changes with the library.
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
