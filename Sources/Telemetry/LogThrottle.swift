import Synchronization

/// Lets only so many lines of one kind into the log in a while, and counts the others: what repeats without end, or
/// what a peer can provoke, must not fill the disk that the log is on.
package final class LogThrottle: Sendable {
    private struct State {
        var began: ContinuousClock.Instant?
        var admitted = 0
        var leftOut = 0
    }

    private let limit: Int
    private let interval: Duration
    private let state = Mutex(State())

    /// - Parameter limit: lines in one interval.
    package init(limit: Int = 10, per interval: Duration = .seconds(30)) {
        (self.limit, self.interval) = (limit, interval)
    }

    /// Asks for one line.
    ///
    /// - Returns: how many were left out since the last that was let in; `nil` when this one is left out, too.
    package func admit(now: ContinuousClock.Instant = .now) -> Int? {
        state.withLock { state in
            if state.began.map({ $0.duration(to: now) >= interval }) ?? true {
                state.began = now
                state.admitted = 0
            }
            guard state.admitted < limit else {
                state.leftOut += 1
                return nil
            }
            state.admitted += 1
            defer { state.leftOut = 0 }
            return state.leftOut
        }
    }
}
