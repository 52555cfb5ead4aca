import CommandSupport

/// `GET /v1/library/summary`.
struct LibrarySummaryAnswer: Decodable, Equatable {
    struct Tracks: Decodable, Equatable {
        var all: Int
        var appleMusic: Int
        var spotify: Int
        var both: Int
    }

    var tracks: Tracks
    var playlists: Int
    var albums: Int
    /// The number of tracks that are no longer saved at any service.
    var missing: Int
    /// The time of the last sync (RFC 3339); `nil` before the first sync.
    var lastSyncedAt: String?

    /// One fact per line.
    var lines: [String] {
        let facts = [
            ("Tracks", "\(tracks.all)"), ("Apple Music", "\(tracks.appleMusic)"), ("Spotify", "\(tracks.spotify)"),
            ("Both", "\(tracks.both)"), ("No longer saved", "\(missing)"), ("Playlists", "\(playlists)"),
            ("Albums", "\(albums)"),
            ("Last synced", lastSyncedAt.map { HumanTime.text(rfc3339: $0) } ?? "never"),
        ]
        let width = facts.map(\.0.count).max() ?? 0
        return facts.map { $0.0 + String(repeating: " ", count: width + 2 - $0.0.count) + $0.1 }
    }
}
