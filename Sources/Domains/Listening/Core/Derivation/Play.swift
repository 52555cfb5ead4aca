import Model

/// A play as one source reports it: an observation, with the values needed to derive listens.
struct Play: Sendable, Hashable {
    /// The longest duration that a play is assumed to have when it is compared with others, in microseconds. A reported
    /// length may be up to 24 days.
    static let longest: Int64 = 3_600_000_000
    /// The largest distance between the starts of two observations of one play, in microseconds.
    static let reach = longest + tolerance
    /// More than the tolerances for times, and the uncertainty of times to the minute, in microseconds.
    private static let tolerance: Int64 = 180_000_000

    var id: Int64
    var source: ListenSource
    var client: String?
    var songID: Int64
    /// The time as it was reported, in microseconds since 1970.
    var time: Int64
    var stamp: NewObservation.Stamp
    var precision: NewObservation.Precision
    var playedMilliseconds: Int?
    /// The length of the whole recording, if it was reported.
    var durationMilliseconds: Int?
    var sourceID: String?
    /// The row with further details.
    var detailsID: Int64?
    var importID: Int64?
    var isDeleted = false
    /// Whether it arrives from an export of Backline (``NewObservation/isExported``). It is not stored.
    var isExported = false
    /// The listen that the observation belongs to; 0 if it does not belong to one yet.
    var listenID: Int64 = 0

    /// How long the play lasted, in microseconds; `nil` if not known.
    var length: Int64? {
        guard let milliseconds = playedMilliseconds ?? durationMilliseconds else { return nil }
        return min(Int64(clamping: milliseconds) &* 1_000, Self.longest)
    }

    /// When the play began, in microseconds since 1970; if only the minute is known, the earliest possible time.
    var start: Int64 {
        guard stamp == .end, let length = fullLength else { return time }
        return time - length
    }

    /// The length, limited only to a day, with which the start is computed from the end.
    private var fullLength: Int64? {
        (playedMilliseconds ?? durationMilliseconds).map { min(Int64(clamping: $0), 86_400_000) * 1_000 }
    }

    /// The largest distance to the start of another observation of this play, in microseconds, if no other one lasts
    /// longer.
    var reach: Int64 { min(max(length ?? 0, time - start) + Self.tolerance, Self.reach) }

    /// How much later than reported the actual times may be, in microseconds.
    var uncertainty: Int64 {
        switch precision {
        case .millisecond: 0
        case .second: 1_000_000
        case .minute: 60_000_000
        }
    }

    /// Whether both come from the same source and program, or from the same file. Those report each play once, except
    /// as described at ``isReportedAgain(in:)``.
    func hasOrigin(of other: Play) -> Bool {
        source == other.source && (client == other.client || importID != nil && importID == other.importID)
    }

    /// Whether this may be the same play as another one of the same origin, provided that their songs are the same,
    /// because they cannot both have happened.
    func isReportedAgain(in other: Play) -> Bool {
        // There may be many plays in a minute.
        guard precision != .minute, other.precision != .minute, playedMilliseconds == other.playedMilliseconds else {
            return false
        }
        let between = (start - other.start).magnitude
        // What a program sends again has exactly the same values, including the length.
        if client == other.client, songID != other.songID { return false }
        let isWhole = client == other.client && !source.repeatsHaveSameLength
        guard !isWhole, let length = start <= other.start ? length : other.length else {
            return between <= Self.reportedAgain
        }
        // The second play began before the first one can have ended.
        return between + max(uncertainty, other.uncertainty).magnitude < length.magnitude
    }

    /// In microseconds. Programs that do not receive a response send a play again with another time, a second or two
    /// later.
    private static let reportedAgain = 2_000_000
}

/// How near in time two observations are that may be of the same play.
struct TimeProximity: Comparable {
    /// 0: the starts agree; 1: the plays overlap; 2: one source reports the end of the play.
    let kind: Int
    /// The distance between the starts, or between the start and the end, in microseconds.
    let distance: Int64

    static func < (left: TimeProximity, right: TimeProximity) -> Bool {
        (left.kind, left.distance) < (right.kind, right.distance)
    }

    private static let startTolerance: Int64 = 30_000_000
    private static let endTolerance: Int64 = 10_000_000

    /// Returns `nil` if the observations are of two different plays.
    ///
    /// The tolerances are those that programs for the same purpose use: half a minute between starts, and ten seconds
    /// if a source records the end.
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
        // If one source reports no length, that of the other one applies.
        guard let nearest = Self.betweenEnds(one, other, lasting: one.length ?? other.length) else { return nil }
        (kind, distance) = (2, nearest)
    }

    /// How near two observations are, at least one of which has no length, if the play lasted as long as a third one
    /// reports.
    init?(_ one: Play, _ other: Play, lasting length: Int64) {
        guard one.length == nil || other.length == nil,
            let nearest = Self.betweenEnds(one, other, lasting: length)
        else { return nil }
        (kind, distance) = (2, nearest)
    }

    /// The distance between the end that one reports and the time that the other reports; `nil` if they are not near.
    ///
    /// - Parameter length: the length to assume for plays without one.
    private static func betweenEnds(_ one: Play, _ other: Play, lasting length: Int64?) -> Int64? {
        // Without an array, since it is computed for thousands of pairs.
        let nearest = min(
            fromEnd(of: one, to: other, lasting: length) ?? .max, fromEnd(of: other, to: one, lasting: length) ?? .max)
        return nearest <= endTolerance ? nearest : nil
    }

    /// The distance between the end of a play and the time that another source reports.
    private static func fromEnd(of play: Play, to other: Play, lasting length: Int64?) -> Int64? {
        guard let length = play.length ?? length else { return nil }
        return gap(play.start + length, play.uncertainty, other.time, other.uncertainty)
    }

    /// The smallest distance between two times, each of which may be later by up to its uncertainty.
    private static func gap(_ one: Int64, _ oneUncertainty: Int64, _ other: Int64, _ otherUncertainty: Int64) -> Int64 {
        max(0, other - (one + oneUncertainty), one - (other + otherUncertainty))
    }
}
