import Model

/// Detects that the wall clock was set back, by comparing it with the time since boot, which nobody can set.
struct WallClockWatch {
    /// Smaller steps are ignored: NTP makes them now and then, and they delay nothing that matters.
    static let tolerance = Duration.seconds(1)

    private var lastWall: Timestamp
    private var lastNow: MonotonicInstant

    init(wall: Timestamp, now: MonotonicInstant) {
        lastWall = wall
        lastNow = now
    }

    /// Whether the clock was set back since the last call.
    mutating func wasSetBack(wall: Timestamp, now: MonotonicInstant) -> Bool {
        defer { (lastWall, lastNow) = (wall, now) }
        return lastWall.duration(to: wall) + Self.tolerance < lastNow.duration(to: now)
    }
}
