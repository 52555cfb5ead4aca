import Identity
import Listening
import Model
import Storage

/// What a person's programs said of songs, as lists use it: loved ones come first, hated ones not at all.
struct SongFeedback {
    /// Songs of the library that they love, the latest first.
    let loved: [LibraryID]
    let lovedTracks: Set<LibraryID>
    /// What they hate, as edits name it, as far as it is in the library.
    let hatedNames: Set<String>
    /// What they hate, in whatever library or catalog it is.
    let hated: [IdentityRecord]

    init(of userID: String, in reader: ReadTransaction) throws {
        loved = try reader.listening.feedbackSongs(userID: userID, .loved).compactMap(\.trackID)
        lovedTracks = Set(loved)
        let hates = try reader.listening.feedbackSongs(userID: userID, .hated)
        hatedNames = Set(hates.compactMap(\.trackID?.text))
        // Without the album: who hates a song hates it on every album.
        hated = hates.compactMap(\.song).map { IdentityRecord(title: $0.title, artist: $0.artist) }
    }
}
