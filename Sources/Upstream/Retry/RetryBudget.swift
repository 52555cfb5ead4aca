import Model

/// Limits retries to a small share of the requests to one provider, so that they do not overload one that fails.
///
/// A token bucket: each call adds a fraction of a token, time adds a few more, and each retry takes one.
package struct RetryBudget: Sendable {
    private let earnedPerCall: Double
    private let earnedPerSecond: Double
    private let capacity: Double
    private var tokens: Double
    private var refilledAt: MonotonicInstant

    /// - Parameters:
    ///   - share: retries allowed per call; 0.2 is one in five.
    ///   - floorPerMinute: retries allowed per minute, however few calls there are.
    ///   - capacity: the most tokens; also the initial number.
    package init(share: Double = 0.2, floorPerMinute: Double = 10, capacity: Double = 20, now: MonotonicInstant) {
        earnedPerCall = share
        earnedPerSecond = floorPerMinute / 60
        self.capacity = capacity
        tokens = capacity
        refilledAt = now
    }

    /// Counts the first attempt of a call.
    package mutating func recordCall() {
        tokens = min(capacity, tokens + earnedPerCall)
    }

    /// Whether one more retry is allowed now; if so, takes a token for it.
    package mutating func withdraw(now: MonotonicInstant) -> Bool {
        let elapsed = Double(max(0, refilledAt.duration(to: now).microseconds)) / 1_000_000
        tokens = min(capacity, tokens + elapsed * earnedPerSecond)
        refilledAt = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
