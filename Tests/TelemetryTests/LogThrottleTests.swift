import Telemetry
import Testing

@Suite("Throttling of log lines")
struct LogThrottleTests {
    @Test("Lines up to the limit are logged, and the number of the others is reported with the next line")
    func linesBeyondTheLimit() {
        let throttle = LogThrottle(limit: 2, per: .seconds(10))
        let start = ContinuousClock.now
        #expect(throttle.admit(now: start) == 0)
        #expect(throttle.admit(now: start) == 0)
        for _ in 0..<5 { #expect(throttle.admit(now: start.advanced(by: .seconds(9))) == nil) }
        #expect(throttle.admit(now: start.advanced(by: .seconds(10))) == 5)
        #expect(throttle.admit(now: start.advanced(by: .seconds(11))) == 0)
        #expect(throttle.admit(now: start.advanced(by: .seconds(12))) == nil)
    }
}
