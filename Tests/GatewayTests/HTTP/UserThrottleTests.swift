import Model
import Testing

@testable import Gateway

@Suite("The pace of one person's costly requests")
struct UserThrottleTests {
    private let start = MonotonicInstant(microseconds: 1_000_000)

    @Test("Work waits for the time above the allowance, and no longer")
    func delaysAboveTheAllowance() {
        let pace = UserThrottle(allowance: .milliseconds(100))
        let delays = (0..<4).map { _ in pace.delay(adding: .milliseconds(50), to: "a", at: start) }
        #expect(delays == [.zero, .zero, .milliseconds(50), .milliseconds(100)])
    }

    @Test("The time above the allowance falls by a second each second, and never below zero")
    func paysOff() {
        let pace = UserThrottle()
        #expect(pace.delay(adding: .seconds(2), to: "a", at: start) == .seconds(2))
        #expect(pace.delay(adding: .seconds(1), to: "a", at: start.advanced(by: .seconds(1))) == .seconds(2))
        #expect(pace.delay(adding: .seconds(1), to: "a", at: start.advanced(by: .seconds(100))) == .seconds(1))
    }

    @Test("Nobody waits for another person's use, however many people there are")
    func keepsPeopleApart() {
        let pace = UserThrottle()
        #expect(pace.delay(adding: .seconds(60), to: "a", at: start) == .seconds(60))
        for number in 0..<3_000 {
            let later = start.advanced(by: .milliseconds(number))
            #expect(pace.delay(adding: .microseconds(1), to: "\(number)", at: later) == .microseconds(1))
        }
        #expect(pace.delay(adding: .zero, to: "a", at: start.advanced(by: .seconds(3))) == .seconds(57))
    }
}
