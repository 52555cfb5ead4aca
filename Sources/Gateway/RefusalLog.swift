import Messaging
import Model
import Synchronization

/// Which refusals are logged: whoever knocks at an open port must not be able to fill a disk.
///
/// Of each reason one line in a minute, which says how many others there were since the one before.
struct RefusalLog {
    static let interval = Duration.seconds(60)

    private var lines: [Refusal.Reason: (at: MonotonicInstant, suppressed: Int)] = [:]

    /// How many refusals of this reason went unsaid since the last line; `nil` when this one does, too.
    mutating func line(for reason: Refusal.Reason, now: MonotonicInstant) -> Int? {
        if let last = lines[reason], last.at.duration(to: now) < Self.interval {
            lines[reason] = (last.at, last.suppressed + 1)
            return nil
        }
        defer { lines[reason] = (now, 0) }
        return lines[reason]?.suppressed ?? 0
    }
}
