import Model

/// A limit of requests in a window that slides with time. Refused requests use nothing of it.
struct RollingLimit: Sendable {
    /// The requests of one app: `GET /_sim/spotify/window`.
    struct Use: Sendable, Codable, Equatable {
        var admitted = 0
        var refused = 0
        /// The most requests that one window admitted.
        var largest = 0
    }

    private(set) var use = Use()
    private var admitted: [MonotonicInstant] = []
    private var oldest = 0

    /// Admits a request, or answers how long until the next one is admitted.
    ///
    /// - Parameters:
    ///   - instant: not before that of an earlier call.
    ///   - limit: requests in one window; 0 sets none.
    mutating func take(at instant: MonotonicInstant, limit: Int, length: Duration) -> Duration? {
        while oldest < admitted.count, admitted[oldest].advanced(by: length) <= instant { oldest += 1 }
        if oldest > 1_024, oldest * 2 > admitted.count {
            admitted.removeFirst(oldest)
            oldest = 0
        }
        let held = admitted.count - oldest
        if limit > 0, held >= limit {
            use.refused += 1
            // More than the limit are held when the limit was lowered.
            return instant.duration(to: admitted[oldest + held - limit].advanced(by: length))
        }
        admitted.append(instant)
        use.admitted += 1
        use.largest = max(use.largest, held + 1)
        return nil
    }
}
