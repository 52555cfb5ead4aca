import Model
import Testing

@testable import Gateway

@Suite("Which refusals are logged")
struct RefusalLogTests {
    @Test("one of each reason in a minute, with how many were left out")
    func interval() {
        var log = RefusalLog()
        var now = MonotonicInstant(microseconds: 1_000_000)
        #expect(log.line(for: .unknownKey, now: now) == 0)
        for _ in 0..<1_000 { #expect(log.line(for: .unknownKey, now: now) == nil) }
        #expect(log.line(for: .notZeroMQ, now: now) == 0)
        now = now.advanced(by: .seconds(59))
        #expect(log.line(for: .unknownKey, now: now) == nil)
        now = now.advanced(by: .seconds(1))
        #expect(log.line(for: .unknownKey, now: now) == 1_001)
        #expect(log.line(for: .notZeroMQ, now: now) == 0)
        now = now.advanced(by: .seconds(60))
        #expect(log.line(for: .unknownKey, now: now) == 0)
    }
}
