import Model
import Storage

/// The counts of a person's library: a row of `libraries`, which every write to the library keeps.
package struct LibrarySummary: Sendable, Hashable {
    package var tracks: Int
    package var appleMusicTracks: Int
    package var spotifyTracks: Int
    /// Tracks that both sources have.
    package var sharedTracks: Int
    /// Tracks that no source has any more.
    package var missingTracks: Int
    package var playlists: Int
    package var albums: Int
    /// The end of the last sync; `nil` before the first.
    package var lastSyncedAt: Timestamp?
    /// The key of the library; `nil` for a person who has none yet.
    let libraryID: Int64?
    /// The number of the library's last change: equal numbers are equal libraries.
    package let change: Int64

    /// A library that does not exist yet.
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
