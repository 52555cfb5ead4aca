import Model
import Storage

extension LibraryStore {
    /// The counts of a user's library.
    package func summary(userID: String) throws -> LibrarySummary {
        let row = try transaction.row(
            """
            SELECT id, tracks, apple_tracks, spotify_tracks, shared_tracks, missing_tracks, playlists, albums,
                last_synced_at, change
            FROM libraries WHERE user_id = \(userID)
            """)
        guard let row else { return .empty }
        return LibrarySummary(
            tracks: try row["tracks"], appleMusicTracks: try row["apple_tracks"],
            spotifyTracks: try row["spotify_tracks"], sharedTracks: try row["shared_tracks"],
            missingTracks: try row["missing_tracks"], playlists: try row["playlists"], albums: try row["albums"],
            lastSyncedAt: try row["last_synced_at"], libraryID: try row["id"], change: try row["change"])
    }

    /// The libraries whose songs have changed after `change`, in the order of their changes: songs with different
    /// values, or that now belong to different tracks.
    package func songsChanged(after change: Int64, limit: Int) throws -> [(userID: String, change: Int64)] {
        try transaction.map(
            """
            SELECT user_id, songs_change FROM libraries WHERE songs_change > \(change)
            ORDER BY songs_change LIMIT \(limit)
            """
        ) { (userID: try $0["user_id"], change: try $0["songs_change"]) }
    }
}
