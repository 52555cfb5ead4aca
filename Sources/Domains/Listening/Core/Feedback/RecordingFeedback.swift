import Model

/// A person's feedback that they love or hate a recording.
package struct RecordingFeedback: Sendable, Hashable {
    /// The raw values are those of the ListenBrainz API.
    package enum Score: Int, Sendable, CaseIterable {
        case loved = 1
        case hated = -1
    }

    /// How a program identifies a recording: by at least one of these ids.
    package struct Recording: Sendable, Hashable {
        /// The id that the ListenBrainz API derives from the words that describe a song (``SongDescription/msid``).
        package var msid: String?
        /// The id at MusicBrainz.
        package var mbid: String?

        /// - Returns: `nil` without any id.
        package init?(msid: String?, mbid: String?) {
            guard msid != nil || mbid != nil else { return nil }
            (self.msid, self.mbid) = (msid, mbid)
        }

        init(known msid: String?, _ mbid: String?) { (self.msid, self.mbid) = (msid, mbid) }

        /// Whether it is the recording of a song. Some players send the MusicBrainz id in place of the other one.
        func isOf(_ song: SongDescription) -> Bool {
            if let known = song.recordingMBID, known == mbid || known == msid { return true }
            return msid != nil && msid == song.msid
        }
    }

    package var id: LibraryID
    package var recording: Recording
    package var score: Score
    package var createdAt: Timestamp
    /// The recording as a listen describes it; `nil` as long as the person has no listen of it.
    package var song: SongDescription?
    /// The song in the person's library.
    package var trackID: LibraryID?
}

extension SongDescription {
    /// A hash of the title and artist, which is the same for all albums and ignores case.
    var wordsKey: Int64 { StableKey.of([title.lowercased(), artist.lowercased()]) }
}
