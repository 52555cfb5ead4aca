import Platform

/// A moment on `CLOCK_BOOTTIME`: microseconds since this machine booted, suspended time included.
///
/// All processes of a machine share this clock, it cannot be set, and it starts again at zero with each boot: compare
/// stored values only if their `BootID` is the same.
package struct MonotonicInstant: Hashable, Comparable, Sendable {
    /// Microseconds since boot.
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func now() -> MonotonicInstant {
        MonotonicInstant(microseconds: SystemClock.sinceBoot)
    }

    package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.microseconds < right.microseconds
    }

    package func advanced(by duration: Duration) -> MonotonicInstant {
        MonotonicInstant(microseconds: microseconds + duration.microseconds)
    }

    package func duration(to other: MonotonicInstant) -> Duration {
        .microseconds(other.microseconds - microseconds)
    }
}
