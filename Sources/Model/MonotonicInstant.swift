import Foundation

/// A moment on `CLOCK_BOOTTIME`: microseconds since this machine booted, suspended time included.
///
/// All processes of a machine share this clock, it cannot be set, and it starts again at zero with each boot: compare
/// stored values only if their ``BootID`` is the same.
package struct MonotonicInstant: Hashable, Comparable, Sendable {
    /// Microseconds since boot.
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func now() -> MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return MonotonicInstant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
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

/// The identity of this boot of the machine (`/proc/sys/kernel/random/boot_id`).
package enum BootID {
    /// The id is read once, because it cannot change while a process lives.
    package static let current: String =
        (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
        .trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown-boot"
}
