import Glibc

/// The clocks of this machine, in whole microseconds.
package enum SystemClock {
    /// The time since 1970-01-01T00:00:00Z by the wall clock, which can be set.
    package static var wall: Int64 { time(of: CLOCK_REALTIME) + (WallClockOffset.current?.microseconds ?? 0) }

    /// The time since this machine booted, suspended time included. This clock cannot be set.
    package static var sinceBoot: Int64 { time(of: CLOCK_BOOTTIME) }

    private static func time(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
