import Model
import Synchronization

/// Counts requests of each person to the ListenBrainz API, in windows of ten seconds.
final class ListenRate: Sendable {
    struct Standing: Sendable {
        /// Negative when the limit is exceeded.
        var remaining: Int
        /// Seconds until the window ends.
        var resetIn: Int
        /// When it ends, in seconds since 1970.
        var reset: Int
    }

    private struct Window {
        var number: Int
        var counts: [String: Int] = [:]
    }

    static let windowSeconds = 10
    /// More than the fastest import needs.
    static let standardLimit = 50_000

    /// Requests in a window.
    let limit: Int
    private let now: @Sendable () -> Timestamp
    private let window = Mutex(Window(number: 0))

    init(limit: Int = ListenRate.standardLimit, now: @escaping @Sendable () -> Timestamp) {
        (self.limit, self.now) = (limit, now)
    }

    func count(_ userID: String) -> Standing {
        let seconds = Int(now().microseconds / 1_000_000)
        let count = window.withLock { window in
            let number = seconds / Self.windowSeconds
            if window.number != number { window = Window(number: number) }
            window.counts[userID, default: 0] += 1
            return window.counts[userID] ?? 0
        }
        return standing(at: seconds, remaining: limit - count)
    }

    /// For answers to requests of nobody.
    var untouched: Standing { standing(at: Int(now().microseconds / 1_000_000), remaining: limit) }

    /// For answers to requests that another limit has refused.
    ///
    /// - Parameter seconds: after which a further request is answered.
    func exhausted(for seconds: Int) -> Standing {
        Standing(remaining: 0, resetIn: seconds, reset: Int(now().microseconds / 1_000_000) + seconds)
    }

    private func standing(at seconds: Int, remaining: Int) -> Standing {
        let reset = (seconds / Self.windowSeconds + 1) * Self.windowSeconds
        return Standing(remaining: remaining, resetIn: reset - seconds, reset: reset)
    }
}
