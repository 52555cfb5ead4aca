import Model

/// A play of a song, derived from what sources said of it.
package struct Listen: Sendable, Hashable {
    package var id: LibraryID
    package var startedAt: Timestamp
    package var songID: Int64
    /// As the best source says it.
    package var song: SaidSong
    /// `nil` if no source says it.
    package var playedMilliseconds: Int?
    /// One entry for each kind of source, in a fixed order.
    package var sources: [ListenSource]
    /// The song in the person's library.
    package var trackID: LibraryID?
    /// What else was said, as JSON.
    package var details: String?
    /// The program that told it.
    package var client: String?
    /// How exact its time is, as the best source says it.
    package var precision = NewObservation.Precision.second
    /// What the person has said of its song.
    package var feedback: RecordingFeedback.Score?
}

/// What became of observations that were recorded. Their sum is their number.
package struct RecordCounts: Sendable, Hashable {
    /// Those that made a listen.
    package var new = 0
    /// Those that joined a listen that others had told.
    package var joined = 0
    /// Those that their source had told before.
    package var repeated = 0

    package init(new: Int = 0, joined: Int = 0, repeated: Int = 0) {
        (self.new, self.joined, self.repeated) = (new, joined, repeated)
    }

    package static func += (left: inout RecordCounts, right: RecordCounts) {
        left.new += right.new
        left.joined += right.joined
        left.repeated += right.repeated
    }
}

/// What a kind of source has told of a person.
package struct ListenSourceSummary: Sendable, Hashable {
    package var source: ListenSource
    package var lastContact: Timestamp
}
