import Model
import Storage

/// The counts of a user's library: a row of `libraries`, which every write to the library updates.
package struct LibrarySummary: Sendable, Hashable {
    package var tracks: Int
    package var appleMusicTracks: Int
    package var spotifyTracks: Int
    /// The number of tracks that both services have.
    package var sharedTracks: Int
    /// The number of tracks that are no longer in any source's library.
    package var missingTracks: Int
    package var playlists: Int
    package var albums: Int
    /// The end of the last sync; `nil` before the first one.
    package var lastSyncedAt: Timestamp?
    /// The key of the library; `nil` if the user does not have one yet.
    let libraryID: Int64?
    /// The number of the library's last change. While it is the same, the library has not changed.
    package let change: Int64

    /// The summary of a library that does not exist yet.
    static let empty = LibrarySummary(
        tracks: 0, appleMusicTracks: 0, spotifyTracks: 0, sharedTracks: 0, missingTracks: 0, playlists: 0, albums: 0,
        lastSyncedAt: nil, libraryID: nil, change: 0)

    func count(_ filter: TrackFilter) -> Int {
        switch filter {
        case .all: tracks
        case .appleMusic: appleMusicTracks
        case .spotify: spotifyTracks
        case .both: sharedTracks
        }
    }
}
