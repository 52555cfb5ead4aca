import Model

/// Counts arrivals in a sliding window, and remembers the most that it ever contained.
///
/// The window is half open: an arrival belongs to it while it is *less* than
/// ``length`` old. Two arrivals exactly one length apart never share a window.
package struct SlidingWindow: Sendable {
    /// The length of the window.
    package let length: Duration
    /// The largest number of arrivals in any window of this length.
    package private(set) var largest = 0

    private var arrivals: [MonotonicInstant] = []
    private var oldest = 0

    package init(length: Duration = .seconds(1)) {
        self.length = length
    }

    /// Notes an arrival and returns how many the window that ends with it contains, including this one.
    ///
    /// - Parameter instant: not before any instant recorded earlier.
    @discardableResult
    package mutating func record(at instant: MonotonicInstant) -> Int {
        arrivals.append(instant)
        while arrivals[oldest].advanced(by: length) <= instant {
            oldest += 1
        }
        // The array is shortened rarely, so that a busy window does not require copying for each arrival.
        if oldest > 1_024, oldest * 2 > arrivals.count {
            arrivals.removeFirst(oldest)
            oldest = 0
        }
        let count = arrivals.count - oldest
        largest = max(largest, count)
        return count
    }
}
