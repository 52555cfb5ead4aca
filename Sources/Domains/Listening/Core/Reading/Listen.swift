import Model

/// A play of a song, derived from what sources reported about it.
package struct Listen: Sendable, Hashable {
    package var id: LibraryID
    package var startedAt: Timestamp
    package var songID: Int64
    /// The song as the best source describes it.
    package var song: SongDescription
    /// `nil` if no source reported it.
    package var playedMilliseconds: Int?
    /// One entry for each kind of source, in a fixed order.
    package var sources: [ListenSource]
    /// The song in the person's library.
    package var trackID: LibraryID?
    /// Further details, as JSON.
    package var details: String?
    /// The program that reported the listen.
    package var client: String?
    /// The precision of its time, as the best source reports it.
    package var precision = NewObservation.Precision.second
    /// The person's feedback on its song.
    package var feedback: RecordingFeedback.Score?
}

/// What became of recorded observations. The counts add up to the number of observations.
package struct RecordCounts: Sendable, Hashable {
    /// Observations that created a listen.
    package var new = 0
    /// Observations that joined a listen that others had reported.
    package var joined = 0
    /// Observations that their source had reported before.
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

/// A kind of source that has reported listens of a person.
package struct ListenSourceSummary: Sendable, Hashable {
    package var source: ListenSource
    package var lastContact: Timestamp
}
