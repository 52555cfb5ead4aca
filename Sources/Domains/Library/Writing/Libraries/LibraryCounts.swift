import Model

/// The counts of a library that every page shows, or the differences to apply to them.
package struct LibraryCounts: Sendable, Hashable {
    var tracks = 0
    var appleTracks = 0
    var spotifyTracks = 0
    var sharedTracks = 0
    var missingTracks = 0
    package var playlists = 0
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
