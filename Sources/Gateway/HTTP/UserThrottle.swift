import Model
import Synchronization

/// Delays one person's requests in quick succession, so that they use a bounded share of the processor.
///
/// Every person has a debt that falls by one second each second. Work adds its cost to the debt, and waits while the
/// debt exceeds the allowance.
package final class UserThrottle: Sendable {
    private struct State {
        /// When each person's debt is paid off.
        var paidOff: [String: MonotonicInstant] = [:]
        /// The number of people beyond which those without debt are removed.
        var pruningCount = 1_000
    }

    private let allowance: Duration
    private let state = Mutex(State())

    /// - Parameter allowance: the debt up to which nothing waits.
    package init(allowance: Duration = .zero) {
        self.allowance = allowance
    }

    /// Adds `cost` to a person's debt.
    ///
    /// - Returns: how long the person's work has to wait now; zero when the debt is within the allowance.
    package func delay(adding cost: Duration, to userID: String, at now: MonotonicInstant = .now()) -> Duration {
        state.withLock { state in
            let start = max(now, state.paidOff[userID] ?? now)
            let end = start.advanced(by: cost)
            state.paidOff[userID] = end
            if state.paidOff.count > state.pruningCount {
                state.paidOff = state.paidOff.filter { $0.value > now }
                state.pruningCount = max(1_000, 2 * state.paidOff.count)
            }
            return max(.zero, now.duration(to: end) - allowance)
        }
    }
}
