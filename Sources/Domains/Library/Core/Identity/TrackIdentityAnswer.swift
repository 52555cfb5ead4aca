import Model

/// Explains to a user why a track's source tracks count as the same song.
package struct TrackIdentityAnswer: Sendable {
    package struct SourceTrack: Sendable {
        package var id: LibraryID
        package var source: MusicSource
        package var title: String
        package var artist: String
        package var album: String
        /// Sentences that explain why this source track belongs to the track.
        package var evidence: [String]
    }

    package var trackID: LibraryID
    /// The track's source tracks, Apple Music's first.
    package var sourceTracks: [SourceTrack]
    /// The decisions that concern any of the track's source tracks, earliest first.
    package var decisions: [TrackDecision]
}

/// Two tracks that may be the same song.
package struct LikelyDuplicate: Sendable {
    package var tracks: [LibraryTrack]
    /// Sentences that explain why the two may be the same song.
    package var evidence: [String]
}
