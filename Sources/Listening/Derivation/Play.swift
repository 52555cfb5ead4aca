import Model

/// A play as one source tells it: an observation, with what deriving listens needs.
struct Play: Sendable, Hashable {
    /// The longest time that a play is taken to last when it is compared with others, in microseconds. A length that is
    /// said may be up to 24 days.
    static let longest: Int64 = 3_600_000_000
    /// The farthest that the starts of two observations of one play are apart, in microseconds.
    static let reach = longest + 180_000_000

    var id: Int64
    var source: ListenSource
    var client: String?
    var songID: Int64
    /// The time as it was said, in microseconds since 1970.
    var time: Int64
    var stamp: NewObservation.Stamp
    var precision: NewObservation.Precision
    var playedMilliseconds: Int?
    /// Of the whole recording, if it is said.
    var durationMilliseconds: Int?
    var sourceID: String?
    /// The row with what else was said.
    var detailsID: Int64?
    var importID: Int64?
    var isDeleted = false
    /// 0 for an observation that is part of none yet.
    var listenID: Int64 = 0

    /// How long it lasted, as far as that is known, in microseconds.
    var length: Int64? {
        guard let milliseconds = playedMilliseconds ?? durationMilliseconds else { return nil }
        return min(Int64(clamping: milliseconds) &* 1_000, Self.longest)
    }

    /// When it began, in microseconds since 1970; the earliest such moment where minutes are said.
    var start: Int64 {
        guard stamp == .end, let length = fullLength else { return time }
        return time - length
    }

    /// The length without a limit: by it an end leads to its start.
    private var fullLength: Int64? {
        (playedMilliseconds ?? durationMilliseconds).map { min(Int64(clamping: $0), 86_400_000) * 1_000 }
    }

    /// By how much the true moments may be later than the said ones, in microseconds.
    var uncertainty: Int64 {
        switch precision {
        case .millisecond: 0
        case .second: 1_000_000
        case .minute: 60_000_000
        }
    }

    /// Whether the other one is by the same source and program, or from the same file. Those report each play once,
    /// except as ``isReportedAgain(in:)`` says.
    func hasOrigin(of other: Play) -> Bool {
        source == other.source && (client == other.client || importID != nil && importID == other.importID)
    }

    /// Whether it may be one play with another one of the same origin, if their songs are one: both cannot have
    /// happened.
    func isReportedAgain(in other: Play) -> Bool {
        // A minute may have many plays.
        guard precision != .minute, other.precision != .minute, playedMilliseconds == other.playedMilliseconds else {
            return false
        }
        let between = (start - other.start).magnitude
        // What a program sends again is in the same words, its length included.
        if client == other.client, songID != other.songID { return false }
        let isWhole = client == other.client && !source.repeatsHaveSameLength
        guard !isWhole, let length = start <= other.start ? length : other.length else {
            return between <= Self.reportedAgain
        }
        // The second one began before the first one can have ended.
        return between + max(uncertainty, other.uncertainty).magnitude < length.magnitude
    }

    /// Programs that lose an answer send a play again with another time, a second or two later, in microseconds.
    private static let reportedAgain = 2_000_000
}

/// How near in time two observations are, of which both may be of one play.
struct Nearness: Comparable {
    /// 0: the starts agree; 1: the plays overlap; 2: one source gives the end of the play.
    let kind: Int
    /// In microseconds, between the starts, or between the start and the end.
    let distance: Int64

    static func < (left: Nearness, right: Nearness) -> Bool {
        (left.kind, left.distance) < (right.kind, right.distance)
    }

    private static let startTolerance: Int64 = 30_000_000
    private static let endTolerance: Int64 = 10_000_000

    /// `nil` for two plays.
    ///
    /// The tolerances are those that programs for the same purpose use: half a minute between starts, ten seconds where
    /// a source stamps the end.
    init?(_ one: Play, _ other: Play) {
        let starts = Self.gap(one.start, one.uncertainty, other.start, other.uncertainty)
        if starts <= Self.startTolerance {
            (kind, distance) = (0, starts)
            return
        }
        if let length = one.length, let otherLength = other.length,
            max(one.start, other.start) < min(one.start + length, other.start + otherLength)
        {
            (kind, distance) = (1, starts)
            return
        }
        // A source without lengths means the same recording as the other one.
        guard let nearest = Self.betweenEnds(one, other, lasting: one.length ?? other.length) else { return nil }
        (kind, distance) = (2, nearest)
    }

    /// How near two observations are of which one or both say no length, if the play lasted as long as a third one
    /// says.
    init?(_ one: Play, _ other: Play, lasting length: Int64) {
        guard one.length == nil || other.length == nil,
            let nearest = Self.betweenEnds(one, other, lasting: length)
        else { return nil }
        (kind, distance) = (2, nearest)
    }

    /// Between the end that one says and the time that the other says; `nil` where they are not near.
    ///
    /// - Parameter length: of the plays that say none.
    private static func betweenEnds(_ one: Play, _ other: Play, lasting length: Int64?) -> Int64? {
        [fromEnd(of: one, to: other, lasting: length), fromEnd(of: other, to: one, lasting: length)]
            .compactMap { $0 }.min().flatMap { $0 <= endTolerance ? $0 : nil }
    }

    /// Between the end of a play and the time that another source says.
    private static func fromEnd(of play: Play, to other: Play, lasting length: Int64?) -> Int64? {
        guard let length = play.length ?? length else { return nil }
        return gap(play.start + length, play.uncertainty, other.time, other.uncertainty)
    }

    /// Between two moments that may be up to `uncertainty` later.
    private static func gap(_ one: Int64, _ oneUncertainty: Int64, _ other: Int64, _ otherUncertainty: Int64) -> Int64 {
        max(0, other - (one + oneUncertainty), one - (other + otherUncertainty))
    }
}
