import Dispatch
import Model
import PermitStorage
import Synchronization
import TestSupport
import Testing

@testable import Upstream

@Suite("Calls at an open circuit breaker", .timeLimit(.minutes(5)))
struct CircuitGateTests {
    /// Stands still until a test advances it, so that no breaker closes early on a slow machine.
    private let clock = ManualClock()

    /// - Parameter failures: the number of consecutive calls that fail, which open the breaker.
    private func breaker(opensAfter failures: Int, for duration: Duration) -> CircuitBreaker.Settings {
        var settings = CircuitBreaker.Settings()
        settings.consecutiveFailures = failures
        settings.distinctCalls = failures
        settings.openDuration = duration
        return settings
    }

    /// Runs `body` while `count` calls are made that must all succeed.
    private func withSuccessfulCalls(
        _ count: Int, of fixture: CallFixture, body: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { try await fixture.client.send(UpstreamRequest(path: "/")).status } }
            try await body()
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test("An open breaker holds calls back without sending; its probe lets them through")
    func openBreakerHoldsCallsBack() async throws {
        try await CallFixture.run(
            timeout: .seconds(600), attempts: 1, breaker: breaker(opensAfter: 3, for: .seconds(5)),
            breakerClock: .manual(clock), handler: CallFixture.statuses(500, 500, 500, 200)
        ) { fixture in
            for _ in 0..<3 { try await fixture.expectStatus(500) }
            try await withSuccessfulCalls(5, of: fixture) {
                await clock.untilAsleep(5)
                clock.advance(by: .seconds(5) - .microseconds(1))
                await clock.untilAsleep(5)
                #expect(fixture.server.received.count == 3)
                clock.advance(by: .microseconds(1))
            }
            #expect(fixture.server.received.count == 8)
        }
    }

    @Test("Calls that waited for a permit while the breaker opened do not send either")
    func breakerWhileWaiting() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let answers = Mutex([500, 500])
        try await CallFixture.run(
            // No slot becomes free by itself: the test takes four slots and releases them.
            limit: PermitLimit(requests: 6, window: .seconds(600)), timeout: .seconds(600), attempts: 1,
            breaker: breaker(opensAfter: 2, for: .seconds(5)), breakerClock: .manual(clock),
            handler: { _ in
                guard let status = answers.withLock({ $0.popLast() }) else { return .answer() }
                // Blocks the test server's own thread for this connection.
                mayAnswer.wait()
                return .answer(status: status)
            }
        ) { fixture in
            var held: [Permit] = []
            for _ in 0..<4 { held.append(try await fixture.acquire()) }
            let failing = (0..<2).map { _ in Task { try await fixture.client.send(UpstreamRequest(path: "/")).status } }
            var arrivals = fixture.server.arrivals.makeAsyncIterator()
            for _ in 0..<2 { _ = await arrivals.next() }
            try await withSuccessfulCalls(4, of: fixture) {
                while try await fixture.database.read({ try $0.permits.permitStatus() }).first?.waiting != 4 {
                    await Task.yield()
                }
                for _ in 0..<2 { mayAnswer.signal() }
                for call in failing { #expect(try await call.value == 500) }
                for permit in held { await fixture.client.permits.returnUnused(permit) }
                await clock.untilAsleep(4)
                #expect(fixture.server.received.count == 2)
                clock.advance(by: .seconds(5))
            }
            #expect(fixture.server.received.count == 6)
        }
    }

    @Test("A breaker that stays open longer than a call's wait limit ends the call")
    func breakerBeyondWaitLimit() async throws {
        try await CallFixture.run(
            waitLimit: .seconds(5), attempts: 1, breaker: breaker(opensAfter: 1, for: .seconds(60)),
            breakerClock: .manual(clock), handler: CallFixture.statuses(500)
        ) { fixture in
            try await fixture.expectStatus(500)
            let error = await #expect(throws: UpstreamError.self) {
                try await fixture.client.send(UpstreamRequest(path: "/"))
            }
            guard case .circuitOpen = error else {
                Issue.record("expected an open breaker, got \(String(describing: error))")
                return
            }
            #expect(fixture.server.received.count == 1)
        }
    }
}
