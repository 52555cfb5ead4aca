import Gateway
import Model
import Synchronization

/// Counts what each person sends to the ListenBrainz API, in windows of ten seconds: listens, and requests without any.
final class ListenRate: Sendable {
    struct Status: Sendable {
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
    /// More listens than one person's import records within a window.
    static let standardLimit = 50_000

    /// The most listens in a window; a request without listens counts as one.
    let limit: Int
    private let now: @Sendable () -> Timestamp
    private let window = Mutex(Window(number: 0))

    init(limit: Int = ListenRate.standardLimit, now: @escaping @Sendable () -> Timestamp) {
        (self.limit, self.now) = (limit, now)
    }

    /// - Parameter amount: the number of listens; 1 for a request without any.
    func count(_ userID: String, _ amount: Int = 1) -> Status {
        let seconds = Int(now().microseconds / 1_000_000)
        let count = window.withLock { window in
            let number = seconds / Self.windowSeconds
            if window.number != number { window = Window(number: number) }
            window.counts[userID, default: 0] += amount
            return window.counts[userID] ?? 0
        }
        return rateStatus(at: seconds, remaining: limit - count)
    }

    /// The standing for answers to requests from nobody in particular.
    var untouched: Status { rateStatus(at: Int(now().microseconds / 1_000_000), remaining: limit) }

    /// The standing for answers to requests that another limit has refused.
    ///
    /// - Parameter seconds: the time after which another request is answered.
    func exhausted(for seconds: Int) -> Status {
        Status(remaining: 0, resetIn: seconds, reset: Int(now().microseconds / 1_000_000) + seconds)
    }

    private func rateStatus(at seconds: Int, remaining: Int) -> Status {
        let reset = (seconds / Self.windowSeconds + 1) * Self.windowSeconds
        return Status(remaining: remaining, resetIn: reset - seconds, reset: reset)
    }
}
