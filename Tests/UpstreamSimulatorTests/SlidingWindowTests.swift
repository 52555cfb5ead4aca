import Model
import Testing
import UpstreamSimulator

@Suite("The sliding window of arrivals")
struct SlidingWindowTests {
    private func instant(_ microseconds: Int64) -> MonotonicInstant { MonotonicInstant(microseconds: microseconds) }

    @Test("An arrival leaves the window exactly one length later, and not a microsecond sooner")
    func edgeOfTheWindow() {
        var window = SlidingWindow(length: .seconds(1))
        #expect(window.record(at: instant(500)) == 1)
        #expect(window.record(at: instant(1_000_499)) == 2)
        #expect(window.record(at: instant(1_000_500)) == 2, "the first one is exactly a second old")
        #expect(window.record(at: instant(2_000_498)) == 3)
        #expect(window.record(at: instant(2_000_500)) == 2, "both of the second pair have gone by now")
    }

    @Test("The largest number is remembered after the window has emptied")
    func largestNumber() {
        var window = SlidingWindow(length: .seconds(1))
        for offset in 0..<6 { window.record(at: instant(Int64(offset))) }
        window.record(at: instant(5_000_000))
        #expect(window.largest == 6)
    }

    @Test("Thousands of arrivals are counted as exactly as a few")
    func thousandsOfArrivals() {
        var window = SlidingWindow(length: .seconds(1))
        var count = 0
        for arrival in 0..<20_000 { count = window.record(at: instant(Int64(arrival) * 1_000)) }
        #expect(count == 1_000)
        #expect(window.largest == 1_000)
    }
}
