import Model

/// A token bucket for each key, which holds a burst of requests and fills at a steady rate.
///
/// A full bucket equals that of a key that was never seen, so it can be forgotten. Buckets are in two generations, so
/// that dropping the older one forgets them without a scan.
package struct RequestLimiter: Sendable {
    package enum Verdict: Equatable, Sendable {
        case admitted
        /// - Parameter retryAfter: the time until the bucket holds a request again.
        case refused(retryAfter: Duration)
    }

    /// The time between two requests at the steady rate, in nanoseconds.
    private let interval: Int64
    /// The time in which an empty bucket fills, in nanoseconds.
    private let fillTime: Int64
    private let burst: Int
    private let capacity: Int

    /// The younger generation: when each bucket will be full, in nanoseconds since boot.
    private var recent: [String: Int64] = [:]
    /// The older generation.
    private var earlier: [String: Int64] = [:]
    private var recentSince: Int64 = .min

    /// - Parameters:
    ///   - requestsPerSecond: at least 1.
    ///   - burst: `nil` stands for one second's requests.
    ///   - capacity: the number of keys in a generation. When more arrive within ``window``, the older generation is
    ///     forgotten early, which admits too many requests rather than too few.
    package init(requestsPerSecond: Int, burst: Int? = nil, capacity: Int = 10_000) {
        let rate = Int64(max(requestsPerSecond, 1))
        self.burst = max(burst ?? requestsPerSecond, 1)
        interval = (1_000_000_000 + rate - 1) / rate
        fillTime = interval * Int64(self.burst)
        self.capacity = capacity
    }

    /// A limit of fewer requests than one each second.
    ///
    /// - Parameters:
    ///   - requests: the most requests at once, which come back evenly over the period; at least 1.
    package init(requests: Int, per period: Duration, capacity: Int = 10_000) {
        burst = max(requests, 1)
        interval = max(1, period.microseconds * 1_000 / Int64(burst))
        fillTime = interval * Int64(burst)
        self.capacity = capacity
    }

    /// Takes one request from a key's bucket. A refused request takes nothing.
    package mutating func admit(_ key: String, at instant: MonotonicInstant) -> Verdict {
        let now = instant.microseconds * 1_000
        forgetFullBuckets(at: now)
        let fullAt = max(recent[key] ?? earlier[key] ?? now, now) + interval
        guard fullAt - now <= fillTime else { return .refused(retryAfter: .nanoseconds(fullAt - now - fillTime)) }
        recent[key] = fullAt
        return .admitted
    }

    /// Returns a request to a key's bucket.
    mutating func refund(_ key: String) {
        if let fullAt = recent[key] ?? earlier[key] { recent[key] = fullAt - interval }
    }

    /// The requests that a key has left, and the time until its bucket is full.
    func status(of key: String, at instant: MonotonicInstant) -> (remaining: Int, fill: Duration) {
        let now = instant.microseconds * 1_000
        let missing = max((recent[key] ?? earlier[key] ?? now) - now, 0)
        return (burst - Int((missing + interval - 1) / interval), .nanoseconds(missing))
    }

    /// The time in which an empty bucket fills.
    var window: Duration { .nanoseconds(fillTime) }

    private mutating func forgetFullBuckets(at now: Int64) {
        guard recent.count >= capacity || now >= recentSince + fillTime else { return }
        earlier = recent
        recent = [:]
        recentSince = now
    }

    /// The number of buckets in memory, at most twice the capacity.
    var count: Int { recent.count + earlier.count }
}
