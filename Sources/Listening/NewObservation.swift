import Model

/// What one source says of one play, to be recorded.
package struct NewObservation: Sendable, Hashable {
    /// Which moment of the play the time is.
    package enum Stamp: Int, Sendable {
        case start, end
    }

    /// How exact the time is.
    package enum Precision: Int, Sendable, Comparable {
        case millisecond, second, minute

        package static func < (left: Precision, right: Precision) -> Bool { left.rawValue < right.rawValue }
    }

    package var source: ListenSource
    package var song: SaidSong
    /// The time as the source gives it.
    package var time: Timestamp
    package var stamp: Stamp
    package var precision: Precision
    /// How long the song was played, pauses left out; `nil` if the source does not say.
    package var playedMilliseconds: Int?
    /// The program that told it.
    package var client: String?
    /// The source's own id of the play.
    package var sourceID: String?
    /// What else was said, as JSON, to be given back in exports and by the ListenBrainz API (`additional_info`).
    package var details: String?

    package init(
        source: ListenSource, song: SaidSong, time: Timestamp, stamp: Stamp = .start, precision: Precision = .second,
        playedMilliseconds: Int? = nil, client: String? = nil, sourceID: String? = nil, details: String? = nil
    ) {
        (self.source, self.song, self.time, self.stamp, self.precision) = (source, song, time, stamp, precision)
        self.playedMilliseconds = playedMilliseconds
        (self.client, self.sourceID, self.details) = (client, sourceID, details)
    }
}
