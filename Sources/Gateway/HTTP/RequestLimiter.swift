import Model

/// A token bucket for each key: it holds a burst of requests and fills again evenly.
///
/// A bucket that nobody took from for as long as filling takes is full, like that of a key that was never seen, and
/// can be forgotten. Buckets stand in two generations, so that forgetting costs nothing.
struct RequestLimiter: Sendable {
    enum Verdict: Equatable, Sendable {
        case admitted
        /// - Parameter retryAfter: until the bucket holds a request again.
        case refused(retryAfter: Duration)
    }

    /// Between two requests at the steady rate, in nanoseconds.
    private let interval: Int64
    /// From an empty bucket to a full one, in nanoseconds.
    private let fillTime: Int64
    private let burst: Int
    private let capacity: Int

    /// When each bucket will be full, in nanoseconds since boot: those taken from lately…
    private var recent: [String: Int64] = [:]
    /// …and those of the time before that.
    private var earlier: [String: Int64] = [:]
    private var recentSince: Int64 = .min

    /// - Parameters:
    ///   - requestsPerSecond: at least 1.
    ///   - burst: `nil` is one second's requests.
    ///   - capacity: of a generation. When more keys than that come while a bucket fills, the older generation
    ///     is forgotten early, which admits too much rather than too little.
    init(requestsPerSecond: Int, burst: Int? = nil, capacity: Int = 10_000) {
        let rate = Int64(max(requestsPerSecond, 1))
        self.burst = max(burst ?? requestsPerSecond, 1)
        interval = (1_000_000_000 + rate - 1) / rate
        fillTime = interval * Int64(self.burst)
        self.capacity = capacity
    }

    /// Takes one request from a key's bucket; a refused one takes nothing.
    mutating func admit(_ key: String, at instant: MonotonicInstant) -> Verdict {
        let now = instant.microseconds * 1_000
        forgetFullBuckets(at: now)
        let fullAt = max(recent[key] ?? earlier[key] ?? now, now) + interval
        guard fullAt - now <= fillTime else { return .refused(retryAfter: .nanoseconds(fullAt - now - fillTime)) }
        recent[key] = fullAt
        return .admitted
    }

    /// Gives back a request that was taken from a key's bucket.
    mutating func giveBack(_ key: String) {
        if let fullAt = recent[key] ?? earlier[key] { recent[key] = fullAt - interval }
    }

    /// What a key has left, and until when its bucket is full again.
    func standing(of key: String, at instant: MonotonicInstant) -> (remaining: Int, fill: Duration) {
        let now = instant.microseconds * 1_000
        let missing = max((recent[key] ?? earlier[key] ?? now) - now, 0)
        return (burst - Int((missing + interval - 1) / interval), .nanoseconds(missing))
    }

    /// From an empty bucket to a full one.
    var window: Duration { .nanoseconds(fillTime) }

    private mutating func forgetFullBuckets(at now: Int64) {
        guard recent.count >= capacity || now >= recentSince + fillTime else { return }
        earlier = recent
        recent = [:]
        recentSince = now
    }

    /// Buckets that are kept, at most twice the capacity.
    var count: Int { recent.count + earlier.count }
}
