import Synchronization

/// Counts of values in fixed ranges, and the sum of the values.
///
/// An observation is two atomic additions and does not allocate, so it is cheap enough for fifty thousand jobs a
/// second. Values are whole numbers: microseconds for times.
package final class Histogram: Sendable {
    /// The upper ends of the ranges, inclusive and ascending. Larger values count in one more range.
    package struct Bounds: Hashable, Sendable {
        package let values: [Int64]

        /// Microseconds from 0.1 ms to 5 min, about evenly spaced on a logarithmic scale, so that both commits and
        /// upstream timeouts are resolved.
        package static let times = Bounds(values: [
            100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
            2_500_000, 5_000_000, 10_000_000, 30_000_000, 60_000_000, 300_000_000,
        ])

        /// The powers of two up to 4,096.
        package static let sizes = Bounds(values: (0...12).map { 1 << $0 })
    }

    /// Enough for every ``Bounds`` and the range above its last value.
    private static let capacity = 20

    private let bounds: [Int64]
    private let counts = InlineArray<20, Atomic<Int>> { _ in Atomic(0) }
    private let sum = Atomic<Int>(0)

    package init(_ bounds: Bounds) {
        precondition(bounds.values.count < Self.capacity, "More ranges than a histogram has room for")
        self.bounds = bounds.values
    }

    /// - Parameter times: how often the value was seen.
    package func observe(_ value: Int64, times: Int = 1) {
        var range = 0
        while range < bounds.count, value > bounds[range] { range += 1 }
        counts[range].wrappingAdd(times, ordering: .relaxed)
        sum.wrappingAdd(Int(value) * times, ordering: .relaxed)
    }

    /// Observes a time.
    package func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        observe(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    /// The counts of all ranges, then the sum. A value that is observed concurrently may be in only one of them.
    package var values: [Int64] {
        (0...bounds.count).map { Int64(counts[$0].load(ordering: .relaxed)) } + [Int64(sum.load(ordering: .relaxed))]
    }
}

extension Histogram {
    /// An estimate of a quantile, which assumes that observations are evenly spread within their range. A quantile
    /// above the last bound is that bound.
    ///
    /// - Parameters:
    ///   - share: the quantile, 0...1.
    ///   - values: the counts of all ranges, then the sum, as in ``values``.
    /// - Returns: `nil` without observations.
    package static func quantile(_ share: Double, of values: [Int64], bounds: Bounds) -> Double? {
        let counts = values.dropLast()
        let total = counts.reduce(0, +)
        guard total > 0 else { return nil }
        let rank = share * Double(total)
        var below: Double = 0
        for (range, count) in counts.enumerated() where count > 0 {
            if below + Double(count) >= rank, range < bounds.values.count {
                let low = range == 0 ? 0 : Double(bounds.values[range - 1])
                return low + (Double(bounds.values[range]) - low) * max(0, rank - below) / Double(count)
            }
            below += Double(count)
        }
        return bounds.values.last.map(Double.init)
    }
}
