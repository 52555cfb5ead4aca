import Model
import Storage

/// Sees that the wall clock was set back, by comparing it with the one that nobody can set.
struct WallClockWatch {
    /// Less than this is what NTP corrects now and then, and delays nothing that matters.
    static let tolerance = Duration.seconds(1)

    private var lastWall: Timestamp
    private var lastNow: MonotonicInstant

    init(wall: Timestamp, now: MonotonicInstant) {
        lastWall = wall
        lastNow = now
    }

    /// Whether it was set back since the last time that this was asked.
    mutating func wasSetBack(wall: Timestamp, now: MonotonicInstant) -> Bool {
        defer { (lastWall, lastNow) = (wall, now) }
        return lastWall.duration(to: wall) + Self.tolerance < lastNow.duration(to: now)
    }
}

extension WaitingJob {
    /// When a scheduled job is due.
    ///
    /// A run that began in the future was of a clock that has been set back since, and so was the time until which the
    /// job was put off then: it waits for as long as that was away, and not until the clock comes there again. The time
    /// that somebody submitted a job for stands.
    func due(now: Timestamp) -> Timestamp {
        guard let startedAt, startedAt > now else { return runAt }
        return now.advanced(by: max(.zero, startedAt.duration(to: runAt)))
    }
}
