import Model

/// A limit of requests, or of their weight, in a sliding window. Refused requests use nothing of it.
struct RollingLimit: Sendable {
    /// The counts as the control routes show them.
    struct Use: Sendable, Codable, Equatable {
        var admitted = 0
        var refused = 0
        /// The most requests, or the greatest weight, that one window admitted.
        var largest = 0
    }

    private(set) var use = Use()
    private var admitted: [(at: MonotonicInstant, weight: Int)] = []
    private var oldest = 0
    /// The weight of everything that the present window has admitted.
    private var held = 0

    /// Admits a request, or returns how long until it would be admitted.
    ///
    /// - Parameters:
    ///   - instant: not before that of an earlier call.
    ///   - limit: the weight in one window; 0 sets no limit.
    mutating func admit(at instant: MonotonicInstant, limit: Int, length: Duration) -> Duration? {
        if let wait = wait(at: instant, limit: limit, length: length) {
            refuse()
            return wait
        }
        admit(at: instant, length: length)
        return nil
    }

    /// How long until a request is admitted; `nil` if it is admitted at once. One that weighs more than the limit has
    /// to wait for a whole window each time.
    mutating func wait(at instant: MonotonicInstant, limit: Int, length: Duration, weight: Int = 1) -> Duration? {
        forget(before: instant, length: length)
        guard limit > 0, held + weight > limit else { return nil }
        var left = held
        for request in admitted[oldest...] {
            left -= request.weight
            if left + weight <= limit { return instant.duration(to: request.at.advanced(by: length)) }
        }
        return length
    }

    mutating func admit(at instant: MonotonicInstant, length: Duration, weight: Int = 1) {
        forget(before: instant, length: length)
        admitted.append((instant, weight))
        held += weight
        use.admitted += 1
        use.largest = max(use.largest, held)
    }

    mutating func refuse() { use.refused += 1 }

    private mutating func forget(before instant: MonotonicInstant, length: Duration) {
        while oldest < admitted.count, admitted[oldest].at.advanced(by: length) <= instant {
            held -= admitted[oldest].weight
            oldest += 1
        }
        // The array is shortened rarely, so that a busy window does not require copying for each request.
        if oldest > 1_024, oldest * 2 > admitted.count {
            admitted.removeFirst(oldest)
            oldest = 0
        }
    }
}
