import Model
import Testing

@testable import Upstream

@Suite("Circuit breaker")
struct CircuitBreakerTests {
    private let start = MonotonicInstant(microseconds: 0)

    private var settings: CircuitBreaker.Settings {
        var settings = CircuitBreaker.Settings()
        settings.consecutiveFailures = 3
        settings.window = 6
        settings.failureShare = 0.5
        settings.distinctCalls = 2
        settings.openDuration = .seconds(5)
        settings.longestOpenDuration = .seconds(15)
        return settings
    }

    private func pass(_ breaker: inout CircuitBreaker, at now: MonotonicInstant) throws -> CircuitBreaker.Pass {
        guard case .proceed(let pass) = breaker.handle(.requested(.background), now: now) else {
            throw RefusalError()
        }
        return pass
    }
    private struct RefusalError: Error {}

    /// A breaker that has just opened, and until when it is open.
    private func opened() throws -> (CircuitBreaker, MonotonicInstant) {
        var breaker = CircuitBreaker(settings: settings)
        for call in 1...3 as ClosedRange<UInt64> {
            _ = breaker.handle(.failed(try pass(&breaker, at: start), call: call), now: start)
        }
        return (breaker, try #require(breaker.openUntil))
    }

    @Test("Consecutive failures open the breaker; no call passes until its time is over")
    func consecutiveFailures() throws {
        var breaker = CircuitBreaker(settings: settings)
        #expect(breaker.handle(.failed(try pass(&breaker, at: start), call: 1), now: start) == .nothing)
        #expect(breaker.handle(.failed(try pass(&breaker, at: start), call: 2), now: start) == .nothing)
        let until = start.advanced(by: .seconds(5))
        #expect(breaker.handle(.failed(try pass(&breaker, at: start), call: 3), now: start) == .opened(until: until))
        #expect(breaker.handle(.requested(.background), now: start.advanced(by: .seconds(4))) == .wait(until: until))
    }

    @Test("A single call that keeps failing does not open the breaker")
    func oneCulprit() throws {
        var breaker = CircuitBreaker(settings: settings)
        for _ in 0..<20 {
            #expect(breaker.handle(.failed(try pass(&breaker, at: start), call: 7), now: start) == .nothing)
        }
    }

    @Test("A high share of failures opens the breaker, despite successes in between")
    func shareOfFailures() throws {
        var breaker = CircuitBreaker(settings: settings)
        var actions: [CircuitBreaker.Action] = []
        for call in 0..<6 as Range<UInt64> {
            let pass = try pass(&breaker, at: start)
            actions.append(breaker.handle(call % 2 == 0 ? .succeeded(pass) : .failed(pass, call: call), now: start))
        }
        #expect(actions.dropLast().allSatisfy { $0 == .nothing })
        #expect(actions.last == .opened(until: start.advanced(by: .seconds(5))))
    }

    @Test("After the open period one probe passes; its success closes the breaker")
    func probeSucceeds() throws {
        var (breaker, until) = try opened()
        let probe = try pass(&breaker, at: until)
        #expect(breaker.handle(.requested(.background), now: until) == .waitForProbe)
        #expect(breaker.handle(.succeeded(probe), now: until) == .resumeWaiting)
        _ = try pass(&breaker, at: until)
        _ = try pass(&breaker, at: until)
    }

    @Test("An interactive call takes over the probe from a background call that has not been sent yet")
    func probeTakenOver() throws {
        var (breaker, until) = try opened()
        let background = try pass(&breaker, at: until)
        guard case .proceed(let urgent) = breaker.handle(.requested(.interactive), now: until) else {
            throw RefusalError()
        }
        // The background call gets its permit and has to wait now; its results are ignored.
        #expect(breaker.handle(.sending(background), now: until) == .nothing)
        #expect(breaker.handle(.abandoned(background), now: until) == .nothing)
        #expect(breaker.handle(.requested(.background), now: until) == .waitForProbe)
        #expect(breaker.handle(.requested(.interactive), now: until) == .waitForProbe)
        #expect(breaker.handle(.sending(urgent), now: until) == .proceed(urgent))
        #expect(breaker.handle(.succeeded(urgent), now: until) == .resumeWaiting)
    }

    @Test("A background call that has been sent remains the probe")
    func sentProbe() throws {
        var (breaker, until) = try opened()
        let background = try pass(&breaker, at: until)
        #expect(breaker.handle(.sending(background), now: until) == .proceed(background))
        #expect(breaker.handle(.requested(.interactive), now: until) == .waitForProbe)
        #expect(breaker.handle(.succeeded(background), now: until) == .resumeWaiting)
        #expect(breaker.isClosed)
    }

    @Test("A failed probe opens the breaker again, for twice as long up to the limit")
    func probeFails() throws {
        var (breaker, until) = try opened()
        for seconds in [10, 15, 15] {
            let probe = try pass(&breaker, at: until)
            let next = until.advanced(by: .seconds(seconds))
            #expect(breaker.handle(.failed(probe, call: 9), now: until) == .opened(until: next))
            until = next
        }
    }

    @Test("After an abandoned probe, the next one passes at once")
    func probeAbandoned() throws {
        var (breaker, until) = try opened()
        let probe = try pass(&breaker, at: until)
        #expect(breaker.handle(.abandoned(probe), now: until) == .resumeWaiting)
        _ = try pass(&breaker, at: until)
        #expect(breaker.handle(.requested(.background), now: until) == .waitForProbe)
    }

    @Test("Results of calls that were sent before the breaker opened are ignored")
    func lateResults() throws {
        var breaker = CircuitBreaker(settings: settings)
        let early = try pass(&breaker, at: start)
        for call in 1...3 as ClosedRange<UInt64> {
            _ = breaker.handle(.failed(try pass(&breaker, at: start), call: call), now: start)
        }
        let until = try #require(breaker.openUntil)
        #expect(breaker.handle(.succeeded(early), now: start) == .nothing)
        _ = try pass(&breaker, at: until)
        #expect(breaker.handle(.failed(early, call: 1), now: until) == .nothing)
        #expect(breaker.handle(.requested(.background), now: until) == .waitForProbe)
    }
}
