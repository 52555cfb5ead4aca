import Synchronization

/// Limits how many log lines of one kind are written in an interval, and counts the others. Repeated lines, and lines
/// that a peer can provoke, must not fill the disk.
package final class LogThrottle: Sendable {
    private struct State {
        var began: ContinuousClock.Instant?
        var admitted = 0
        var suppressed = 0
    }

    private let limit: Int
    private let interval: Duration
    private let state = Mutex(State())

    /// - Parameter limit: the most lines in one interval.
    package init(limit: Int = 10, per interval: Duration = .seconds(30)) {
        (self.limit, self.interval) = (limit, interval)
    }

    /// Asks whether one line may be written.
    ///
    /// - Returns: the number of lines that were suppressed since the last written one; `nil` when this line must be
    ///   suppressed, too.
    package func admit(now: ContinuousClock.Instant = .now) -> Int? {
        state.withLock { state in
            if state.began.map({ $0.duration(to: now) >= interval }) ?? true {
                state.began = now
                state.admitted = 0
            }
            guard state.admitted < limit else {
                state.suppressed += 1
                return nil
            }
            state.admitted += 1
            defer { state.suppressed = 0 }
            return state.suppressed
        }
    }
}
