import Model

/// The counts of a library that every page shows, or the differences to apply to them.
struct LibraryCounts: Sendable, Hashable {
    var tracks = 0
    var appleTracks = 0
    var spotifyTracks = 0
    var sharedTracks = 0
    var missingTracks = 0
    var playlists = 0
    var albums = 0

    /// Adds a track to the counts, or subtracts it.
    ///
    /// - Parameter weight: 1 to add, -1 to subtract.
    mutating func countTrack(_ track: TrackValues, _ weight: Int) {
        let (apple, spotify) = (MusicSource.appleMusic.number, MusicSource.spotify.number)
        tracks += weight
        if track.sources & apple != 0 { appleTracks += weight }
        if track.sources & spotify != 0 { spotifyTracks += weight }
        if track.sources & (apple | spotify) == apple | spotify { sharedTracks += weight }
        if track.missingSince != nil { missingTracks += weight }
    }
}

/// How much of a library is deleted when a source is removed.
package struct RemovalCounts: Sendable, Hashable, Codable {
    /// The number of tracks that no other source has.
    package var tracks: Int
    package var playlists: Int
    package var albums: Int

    package init(tracks: Int, playlists: Int, albums: Int) {
        (self.tracks, self.playlists, self.albums) = (tracks, playlists, albums)
    }
}
