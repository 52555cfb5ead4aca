import Model

/// One source's report of one play, to be recorded.
package struct NewObservation: Sendable, Hashable {
    /// Whether the time is that of the play's start or of its end.
    package enum Stamp: Int, Sendable {
        case start, end
    }

    /// The precision of the time.
    package enum Precision: Int, Sendable, Comparable {
        case millisecond, second, minute

        package static func < (left: Precision, right: Precision) -> Bool { left.rawValue < right.rawValue }
    }

    package var source: ListenSource
    package var song: SongDescription
    /// The time as the source reports it.
    package var time: Timestamp
    package var stamp: Stamp
    package var precision: Precision
    /// Whether an export of Backline has it. It then repeats a listen with the same start and the same words, whoever
    /// reported that one.
    package var isExported = false
    /// How long the song was played, without pauses; `nil` if the source does not say.
    package var playedMilliseconds: Int?
    /// The program that reported the play.
    package var client: String?
    /// The source's own id of the play.
    package var sourceID: String?
    /// Further details as JSON, which exports and the ListenBrainz API (`additional_info`) return.
    package var details: String?

    package init(
        source: ListenSource, song: SongDescription, time: Timestamp, stamp: Stamp = .start,
        precision: Precision = .second,
        playedMilliseconds: Int? = nil, client: String? = nil, sourceID: String? = nil, details: String? = nil
    ) {
        (self.source, self.song, self.time, self.stamp, self.precision) = (source, song, time, stamp, precision)
        self.playedMilliseconds = playedMilliseconds
        (self.client, self.sourceID, self.details) = (client, sourceID, details)
    }
}
