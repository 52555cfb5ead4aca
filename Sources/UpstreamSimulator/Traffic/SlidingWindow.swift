import Model

/// Counts arrivals in a window that slides with time, and remembers the most it ever held.
///
/// The window is half open: an arrival belongs to it while it is *less* than
/// ``length`` old. Two arrivals exactly one length apart never share a window.
package struct SlidingWindow: Sendable {
    /// How long an arrival stays in the window.
    package let length: Duration
    /// The largest number of arrivals that any window of this length has held.
    package private(set) var largest = 0

    private var arrivals: [MonotonicInstant] = []
    private var oldest = 0

    package init(length: Duration = .seconds(1)) {
        self.length = length
    }

    /// Notes an arrival and answers how many the window that ends with it holds, this one included.
    ///
    /// - Parameter instant: not before any instant recorded earlier.
    @discardableResult
    package mutating func record(at instant: MonotonicInstant) -> Int {
        arrivals.append(instant)
        while arrivals[oldest].advanced(by: length) <= instant {
            oldest += 1
        }
        // The array is shortened rarely, so that a busy window costs no copying per arrival.
        if oldest > 1_024, oldest * 2 > arrivals.count {
            arrivals.removeFirst(oldest)
            oldest = 0
        }
        let count = arrivals.count - oldest
        largest = max(largest, count)
        return count
    }
}
