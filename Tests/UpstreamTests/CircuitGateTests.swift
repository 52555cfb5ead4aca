import Model
import Testing

@testable import Upstream

@Suite("Calls before an open circuit breaker", .timeLimit(.minutes(5)))
struct CircuitGateTests {
    @Test("an open breaker holds calls back without sending; its probe lets them through")
    func breaker() async throws {
        var settings = CircuitBreaker.Settings()
        settings.consecutiveFailures = 3
        settings.distinctCalls = 3
        settings.openDuration = .milliseconds(400)
        try await CallBench.run(
            attempts: 1, breaker: settings, handler: CallBench.statuses(500, 500, 500, 200)
        ) { bench in
            for _ in 0..<3 { try await bench.expectStatus(500) }
            let opened = try #require(bench.server.received.last?.arrivedAt)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<5 { group.addTask { try await bench.client.send(UpstreamRequest(path: "/")).status } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(bench.server.received.count == 8)
            #expect(opened.duration(to: bench.server.received[3].arrivedAt) > .milliseconds(400))
        }
    }

    @Test("calls that waited for a permit while the breaker opened do not send either")
    func breakerWhileWaiting() async throws {
        var settings = CircuitBreaker.Settings()
        settings.consecutiveFailures = 2
        settings.distinctCalls = 2
        settings.openDuration = .seconds(3)
        try await CallBench.run(
            // The breaker opens in good time before the next permits, on a busy machine too.
            limit: PermitLimit(requests: 2, window: .seconds(2)), attempts: 1, breaker: settings,
            handler: CallBench.statuses(500, 500, 200)
        ) { bench in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<6 { group.addTask { try await bench.client.send(UpstreamRequest(path: "/")).status } }
                let answers = try await group.reduce(into: []) { $0.append($1) }
                #expect(answers.sorted() == [200, 200, 200, 200, 500, 500])
            }
            let times = bench.server.received.map(\.arrivedAt)
            #expect(times[1].duration(to: times[2]) > .seconds(3))
        }
    }

    @Test("a breaker that stays open longer than a call's patience ends the call")
    func breakerBeyondPatience() async throws {
        var settings = CircuitBreaker.Settings()
        settings.consecutiveFailures = 1
        settings.distinctCalls = 1
        settings.openDuration = .seconds(60)
        try await CallBench.run(
            patience: .seconds(5), attempts: 1, breaker: settings, handler: CallBench.statuses(500)
        ) { bench in
            try await bench.expectStatus(500)
            let error = await #expect(throws: UpstreamError.self) {
                try await bench.client.send(UpstreamRequest(path: "/"))
            }
            guard case .circuitOpen = error else {
                Issue.record("expected an open breaker, got \(String(describing: error))")
                return
            }
            #expect(bench.server.received.count == 1)
        }
    }
}
