import Model

/// Why some source tracks are one song, for its person.
package struct TrackIdentityAnswer: Sendable {
    package struct SourceTrack: Sendable {
        package var id: LibraryID
        package var source: MusicSource
        package var title: String
        package var artist: String
        package var album: String
        /// Sentences.
        package var evidence: [String]
    }

    package var trackID: LibraryID
    /// Apple Music's first.
    package var sourceTracks: [SourceTrack]
    /// Those that are about one of its source tracks, the earliest first.
    package var decisions: [TrackDecision]
}

/// Two tracks that may be one song.
package struct LikelyDuplicate: Sendable {
    package var tracks: [LibraryTrack]
    /// Sentences on what speaks for it.
    package var evidence: [String]
}
