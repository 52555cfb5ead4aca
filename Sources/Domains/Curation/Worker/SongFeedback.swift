import Identity
import Listening
import Model
import Storage

/// The feedback on songs that a person's programs have sent, as lists use it: loved songs come first, hated ones are
/// left out.
struct SongFeedback {
    /// The songs of the library that they love, the latest first.
    let loved: [LibraryID]
    let lovedTracks: Set<LibraryID>
    /// The names, as edits use them, of hated songs that are in the library.
    let hatedNames: Set<String>
    /// All hated songs, whatever library or catalog they are in.
    let hated: [IdentityRecord]

    init(of userID: String, in reader: ReadTransaction) throws {
        loved = try reader.listening.feedbackSongs(userID: userID, .loved).compactMap(\.trackID)
        lovedTracks = Set(loved)
        let hates = try reader.listening.feedbackSongs(userID: userID, .hated)
        hatedNames = Set(hates.compactMap(\.trackID?.text))
        // Without the album: somebody who hates a song hates it on every album.
        hated = hates.compactMap(\.song).map { IdentityRecord(title: $0.title, artist: $0.artist) }
    }
}
