import Model
import Testing

@testable import Upstream

@Suite("Retries of one call")
struct RetrySequenceTests {
    private let start = MonotonicInstant(microseconds: 1_000_000_000)
    private let policy = RetryPolicy(
        maximumAttempts: 4, baseDelay: .milliseconds(100), maximumDelay: .milliseconds(300), waitLimit: .seconds(120))

    @Test("Waits double up to the limit, with full jitter")
    func growingWaits() {
        var sequence = RetrySequence(policy: policy, isIdempotent: true)
        #expect(sequence.handle(.serverError, now: start, jitter: 1) == .retry(after: .milliseconds(100)))
        #expect(sequence.handle(.serverError, now: start, jitter: 0.5) == .retry(after: .milliseconds(100)))
        #expect(sequence.handle(.serverError, now: start, jitter: 0) == .retry(after: .zero))
        #expect(sequence.handle(.serverError, now: start, jitter: 1) == .giveUp)
        #expect(sequence.attemptsMade == 4)
    }

    @Test("A request that may have been processed is retried only if it is idempotent")
    func idempotentRequests() {
        typealias Trouble = RetrySequence.Trouble
        let cases: [(Trouble, idempotent: Bool, isRetried: Bool)] = [
            (.noAnswer(mayHaveLeft: false), false, true),
            (.noAnswer(mayHaveLeft: true), false, false),
            (.noAnswer(mayHaveLeft: true), true, true),
            (.serverError, false, false),
            (.serverError, true, true),
            (.notProcessed, false, true),
        ]
        for (trouble, isIdempotent, isRetried) in cases {
            var sequence = RetrySequence(policy: policy, isIdempotent: isIdempotent)
            let action = sequence.handle(trouble, now: start, jitter: 0)
            #expect(action == (isRetried ? .retry(after: .zero) : .giveUp), "\(trouble), idempotent: \(isIdempotent)")
        }
    }

    @Test("The delay that the provider requests is a lower bound")
    func requestedDelay() {
        var sequence = RetrySequence(policy: policy, isIdempotent: true)
        let action = sequence.handle(.notProcessed, requestedDelay: .seconds(7), now: start, jitter: 1)
        #expect(action == .retry(after: .milliseconds(7_100)))
    }

    @Test("Retries end within the wait limit after the first failure, however many attempts are left")
    func endOfRetries() {
        let patient = RetryPolicy(maximumAttempts: 100, baseDelay: .seconds(1), maximumDelay: .seconds(20))
        var sequence = RetrySequence(policy: patient, isIdempotent: true)
        #expect(sequence.handle(.serverError, now: start, jitter: 1) == .retry(after: .seconds(1)))
        let late = start.advanced(by: .seconds(119))
        #expect(sequence.handle(.serverError, now: late, jitter: 0.5) == .retry(after: .seconds(1)))
        #expect(sequence.handle(.serverError, now: late, jitter: 1) == .giveUp)

        var other = RetrySequence(policy: patient, isIdempotent: true)
        #expect(other.handle(.notProcessed, requestedDelay: .seconds(121), now: start, jitter: 0) == .giveUp)
    }
}

@Suite("Retry-After")
struct RetryAfterTests {
    private let now = Timestamp(rfc3339: "2026-11-20T22:00:00Z")!

    private func duration(_ value: String, date: String? = nil) -> Duration? {
        var headers = ["retry-after": value]
        headers["date"] = date
        return RetryAfter.duration(in: UpstreamResponse(status: 503, headers: headers), now: now)
    }

    @Test("Seconds and all three forms of a date are read")
    func formsOfRetryAfter() {
        #expect(duration("120") == .seconds(120))
        #expect(duration("0") == .zero)
        #expect(duration("Fri, 20 Nov 2026 22:00:30 GMT") == .seconds(30))
        #expect(duration("Friday, 20-Nov-26 22:00:30 GMT") == .seconds(30))
        #expect(duration("Fri Nov 20 22:00:30 2026") == .seconds(30))
    }

    @Test("A date is compared with the answer's own Date")
    func skewedClock() {
        #expect(
            duration("Fri, 20 Nov 2026 21:00:30 GMT", date: "Fri, 20 Nov 2026 21:00:00 GMT") == .seconds(30))
    }

    @Test("A past date means no wait, malformed text is ignored, and no wait is longer than a day")
    func boundedWaits() {
        #expect(duration("Fri, 20 Nov 2026 21:00:00 GMT") == .zero)
        #expect(duration("soon") == nil)
        #expect(duration("-5") == nil)
        #expect(duration("") == nil)
        #expect(duration("99999999999999999999") == .seconds(86_400))
        #expect(duration("Fri, 20 Nov 2099 22:00:00 GMT") == .seconds(86_400))
        // No date crashes the process, however far away it is.
        for year in ["9999", "99999", "999999", "29227702659", "9223372036854775807"] {
            #expect(duration("Fri, 20 Nov \(year) 22:00:00 GMT") ?? .zero <= .seconds(86_400))
            #expect(duration("120", date: "Fri, 20 Nov \(year) 22:00:00 GMT") == .seconds(120))
        }
        #expect(RetryAfter.duration(in: UpstreamResponse(status: 503), now: now) == nil)
    }
}

@Suite("Retry budget")
struct RetryBudgetTests {
    private let start = MonotonicInstant(microseconds: 0)

    @Test("Retries are limited to a share of the calls once the first tokens are used")
    func shareOfRetries() {
        var budget = RetryBudget(share: 0.2, floorPerMinute: 0, capacity: 3, now: start)
        for _ in 0..<3 { #expect(budget.withdraw(now: start) == true) }
        #expect(budget.withdraw(now: start) == false)
        for _ in 0..<4 { budget.recordCall() }
        #expect(budget.withdraw(now: start) == false)
        budget.recordCall()
        #expect(budget.withdraw(now: start) == true)
        #expect(budget.withdraw(now: start) == false)
    }

    @Test("Time adds a few tokens, up to the capacity")
    func tokensOverTime() {
        var budget = RetryBudget(share: 0.2, floorPerMinute: 6, capacity: 2, now: start)
        for _ in 0..<2 { #expect(budget.withdraw(now: start) == true) }
        #expect(budget.withdraw(now: start.advanced(by: .seconds(9))) == false)
        #expect(budget.withdraw(now: start.advanced(by: .seconds(10))) == true)
        let muchLater = start.advanced(by: .seconds(10_000))
        for _ in 0..<2 { #expect(budget.withdraw(now: muchLater) == true) }
        #expect(budget.withdraw(now: muchLater) == false)
    }
}
