import Telemetry
import Testing

@Suite("Counters and histograms")
struct HistogramTests {
    @Test("A value counts in the first range that includes it; a larger one in the last")
    func rangesOfValues() {
        let histogram = Histogram(.sizes)
        let seen: [Int64] = [0, 1, 2, 3, 4, 5, 4_096, 4_097, 1 << 60]
        for value in seen { histogram.observe(value) }
        let values = histogram.values
        #expect(values.count == Histogram.Bounds.sizes.values.count + 2)
        #expect(Array(values.prefix(4)) == [2, 1, 2, 1], "0 and 1; 2; 3 and 4; 5")
        #expect(Array(values.dropLast().suffix(2)) == [1, 2])
        #expect(values.last == seen.reduce(0, +))
    }

    @Test("Times are stored in microseconds")
    func timesInMicroseconds() throws {
        let histogram = Histogram(.times)
        histogram.observe(.milliseconds(7))
        histogram.observe(.seconds(2))
        #expect(histogram.values.last == 2_007_000)
        let range = try #require(Histogram.Bounds.times.values.firstIndex(of: 10_000))
        #expect(histogram.values[range] == 1)
    }

    @Test("Ranges ascend, about evenly on a logarithmic scale")
    func spacingOfRanges() {
        for bounds in [Histogram.Bounds.times, .sizes] {
            for (low, high) in zip(bounds.values, bounds.values.dropFirst()) {
                #expect(high >= 2 * low && high <= 5 * low, "\(low) … \(high)")
            }
        }
    }

    @Test("No observation from many threads is lost")
    func concurrentObservations() async {
        let (histogram, counter) = (Histogram(.times), Counter())
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for value in 0..<10_000 {
                        histogram.observe(Int64(value))
                        counter.add()
                    }
                }
            }
        }
        #expect(counter.value == 80_000)
        #expect(histogram.values.dropLast().reduce(0, +) == 80_000)
        let sum: Int64 = 399_960_000
        #expect(histogram.values.last == sum)
    }

    @Test("A quantile lies within its range; without observations there is none")
    func quantilesOfRanges() throws {
        let histogram = Histogram(.times)
        func quantile(_ share: Double) -> Double? {
            Histogram.quantile(share, of: histogram.values, bounds: .times)
        }
        #expect(quantile(0.5) == nil)
        for _ in 0..<98 { histogram.observe(700) }
        for _ in 0..<2 { histogram.observe(40_000) }
        #expect((500...1_000).contains(try #require(quantile(0.5))))
        #expect((25_000...50_000).contains(try #require(quantile(0.99))))
        histogram.observe(1 << 40, times: 1_000)
        #expect(quantile(0.99) == 300_000_000, "beyond the last bound, nothing more is known")
    }

    @Test("One call may count several observations")
    func severalObservations() {
        let histogram = Histogram(.sizes)
        histogram.observe(3, times: 5)
        #expect(histogram.values[2] == 5 && histogram.values.last == 15)
    }
}
