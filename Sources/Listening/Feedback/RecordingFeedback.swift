import Model

/// That a person loves a recording, or hates it.
package struct RecordingFeedback: Sendable, Hashable {
    /// The raw values are those of the ListenBrainz API.
    package enum Score: Int, Sendable, CaseIterable {
        case loved = 1
        case hated = -1
    }

    /// How a program names a recording: by at least one of these.
    package struct Recording: Sendable, Hashable {
        /// What the ListenBrainz API calls the words of a song (``SaidSong/msid``).
        package var msid: String?
        /// At MusicBrainz.
        package var mbid: String?

        /// - Returns: `nil` without any id.
        package init?(msid: String?, mbid: String?) {
            guard msid != nil || mbid != nil else { return nil }
            (self.msid, self.mbid) = (msid, mbid)
        }

        init(known msid: String?, _ mbid: String?) { (self.msid, self.mbid) = (msid, mbid) }

        /// Whether it is a song. Some players send the id at MusicBrainz under the name of the other one.
        func isOf(_ song: SaidSong) -> Bool {
            if let known = song.recordingMBID, known == mbid || known == msid { return true }
            return msid != nil && msid == song.msid
        }
    }

    package var id: LibraryID
    package var recording: Recording
    package var score: Score
    package var createdAt: Timestamp
    /// What the recording is, as a listen says it; `nil` as long as the person has none of it.
    package var song: SaidSong?
    /// The song in the person's library.
    package var trackID: LibraryID?
}

extension SaidSong {
    /// A hash of its title and artist, the same for every album and spelling in other cases.
    var wordsKey: Int64 { StableKey.of([title.lowercased(), artist.lowercased()]) }
}
