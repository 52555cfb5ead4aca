import Model
import TestSupport
import Testing

@testable import Gateway

@Suite("Token buckets")
struct RequestLimiterTests {
    private static let start = MonotonicInstant(microseconds: 1_000_000_000)

    @Test(
        "A second's requests may come at once; the next is refused until there is room", arguments: [1, 2, 3, 7, 100])
    func burstOfASecond(rate: Int) {
        var limiter = RequestLimiter(requestsPerSecond: rate)
        for _ in 0..<rate { #expect(limiter.admit("a", at: Self.start) == .admitted) }
        guard case .refused(let wait) = limiter.admit("a", at: Self.start) else {
            Issue.record("one more than \(rate) at once")
            return
        }
        #expect(wait > .zero && wait <= .seconds(1))
        // Refused requests do not use up a token: repeating them does not move the time.
        for _ in 0..<10 { #expect(limiter.admit("a", at: Self.start) == .refused(retryAfter: wait)) }
        #expect(limiter.admit("a", at: Self.start.advanced(by: wait - .microseconds(1))) != .admitted)
        let turn = Self.start.advanced(by: wait + .microseconds(1))
        #expect(limiter.admit("a", at: turn) == .admitted)
        #expect(limiter.admit("a", at: turn) != .admitted)
        // After a second's pause, the bucket is full again, but not overfull.
        let later = turn.advanced(by: .seconds(60))
        for _ in 0..<rate { #expect(limiter.admit("a", at: later) == .admitted) }
        #expect(limiter.admit("a", at: later) != .admitted)
    }

    @Test(
        "A burst may be larger or smaller than a second's requests, and comes back at the rate", arguments: [1, 5, 300])
    func largeBurst(burst: Int) {
        var limiter = RequestLimiter(requestsPerSecond: 5, burst: burst)
        for used in 0..<burst {
            #expect(limiter.status(of: "a", at: Self.start).remaining == burst - used)
            #expect(limiter.admit("a", at: Self.start) == .admitted)
        }
        #expect(limiter.status(of: "a", at: Self.start) == (0, .milliseconds(200 * burst)))
        #expect(limiter.window == .milliseconds(200 * burst))
        #expect(limiter.admit("a", at: Self.start) == .refused(retryAfter: .milliseconds(200)))
        let later = Self.start.advanced(by: .milliseconds(200 * min(burst, 3)))
        #expect(limiter.status(of: "a", at: later).remaining == min(burst, 3))
        for _ in 0..<min(burst, 3) { #expect(limiter.admit("a", at: later) == .admitted) }
        #expect(limiter.admit("a", at: later) != .admitted)
        // An unknown key has a full bucket.
        #expect(limiter.status(of: "b", at: later) == (burst, .zero))
    }

    @Test("Each key has its own bucket")
    func bucketsOfKeys() {
        var limiter = RequestLimiter(requestsPerSecond: 1)
        #expect(limiter.admit("a", at: Self.start) == .admitted)
        #expect(limiter.admit("b", at: Self.start) == .admitted)
        #expect(limiter.admit("a", at: Self.start) != .admitted)
        #expect(limiter.admit("b", at: Self.start) != .admitted)
    }

    @Test("In any period, a key gets at most its rate and one burst", arguments: 0..<6)
    func rateInAnyPeriod(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let rate = Int.random(in: 1...50, using: &random)
        var limiter = RequestLimiter(requestsPerSecond: rate)
        var now = Self.start
        var admitted: [MonotonicInstant] = []
        for _ in 0..<4_000 {
            now = now.advanced(by: .microseconds(Int64.random(in: 0...30_000, using: &random)))
            if limiter.admit("a", at: now) == .admitted { admitted.append(now) }
            // Requests of other keys make the limiter drop old buckets.
            _ = limiter.admit("\(UInt8.random(in: 0...255, using: &random))", at: now)
        }
        func seconds(_ duration: Duration) -> Double { Double(duration.microseconds) / 1e6 }
        let bursts = admitted.indices.flatMap { first in
            // A sample of the periods of every length.
            stride(from: first, to: admitted.count, by: 17).map { last in
                (count: last - first + 1, seconds: seconds(admitted[first].duration(to: admitted[last])))
            }
        }
        #expect(bursts.allSatisfy { Double($0.count) <= ($0.seconds + 1) * Double(rate) + 1 })
        // There were more requests than the rate allows, and the promised number was admitted.
        #expect(Double(admitted.count) >= min(2_000, seconds(Self.start.duration(to: now)) * Double(rate) * 0.9))
    }

    @Test("Memory is bounded for any number of keys, and a busy key is not forgotten")
    func boundedMemory() {
        var limiter = RequestLimiter(requestsPerSecond: 1, capacity: 100)
        #expect(limiter.admit("busy", at: Self.start) == .admitted)
        for key in 0..<99 { #expect(limiter.admit("first-\(key)", at: Self.start) == .admitted) }
        for key in 0..<99 { #expect(limiter.admit("second-\(key)", at: Self.start) == .admitted) }
        #expect(limiter.admit("busy", at: Self.start) != .admitted)
        for key in 0..<10_000 {
            #expect(limiter.admit("more-\(key)", at: Self.start) == .admitted)
            #expect(limiter.count <= 200)
        }
        // Full buckets are removed.
        _ = limiter.admit("later", at: Self.start.advanced(by: .seconds(2)))
        _ = limiter.admit("later", at: Self.start.advanced(by: .seconds(4)))
        #expect(limiter.count <= 2)
    }

    @Test("An earlier time does not move a bucket back")
    func earlierTime() {
        var limiter = RequestLimiter(requestsPerSecond: 1)
        #expect(limiter.admit("a", at: Self.start) == .admitted)
        #expect(limiter.admit("a", at: Self.start.advanced(by: .zero - .milliseconds(5))) != .admitted)
    }
}
