import Model
import Synchronization
import TestSupport
import Testing

@testable import Upstream

@Suite("Complete upstream calls", .timeLimit(.minutes(5)))
struct UpstreamClientTests {
    @Test("A 5xx is retried; the last one is returned")
    func serverErrors() async throws {
        try await CallFixture.run(handler: CallFixture.statuses(500, 503, 200)) { fixture in
            try await fixture.expectStatus(200)
            #expect(fixture.server.received.count == 3)
        }
        try await CallFixture.run(handler: CallFixture.statuses(502)) { fixture in
            try await fixture.expectStatus(502)
            #expect(fixture.server.received.count == 4)
        }
    }

    @Test("A POST answered with 500 is not sent again, nor is any request answered with 4xx")
    func unsafeRequests() async throws {
        try await CallFixture.run(handler: CallFixture.statuses(500)) { fixture in
            try await fixture.expectStatus(500, .post)
            #expect(fixture.server.received.count == 1)
        }
        try await CallFixture.run(handler: CallFixture.statuses(404)) { fixture in
            try await fixture.expectStatus(404)
            #expect(fixture.server.received.count == 1)
        }
    }

    @Test("A request on a dead pooled connection costs one more permit, and the limit holds")
    func droppedConnections() async throws {
        let limit = PermitLimit(requests: 2, window: .milliseconds(150))
        let count = Atomic(0)
        try await CallFixture.run(
            limit: limit, handler: { _ in count.add(1, ordering: .relaxed).newValue % 3 == 2 ? .close : .answer() }
        ) { fixture in
            for _ in 0..<4 { try await fixture.expectStatus(200) }
            expectLimit(fixture.server.received, requests: 2, window: limit.window)
            // Four answers, and the second and fifth requests were sent on a dying connection.
            #expect(fixture.server.received.count == 6)
        }
    }

    @Test("A request is completed once, with its first permit; if that fails, the permit is returned unused")
    func completedOnce() async throws {
        struct UnwantedError: Error {}
        let completions = Atomic(0)
        let askedToSend = Atomic(0)
        try await CallFixture.run(
            limit: PermitLimit(requests: 2, window: .seconds(600)), handler: CallFixture.statuses(500, 200)
        ) { fixture in
            var unwanted = UpstreamRequest(path: "/unwanted")
            unwanted.complete = { _ in throw UnwantedError() }
            await #expect(throws: UnwantedError.self) { try await fixture.client.send(unwanted) }
            var request = UpstreamRequest(path: "/")
            request.complete = { request in
                completions.add(1, ordering: .relaxed)
                request.path = "/completed"
            }
            request.maySend = { askedToSend.add(1, ordering: .relaxed).newValue > 0 }
            // Both slots, which are busy for ten minutes, are needed.
            let response = try await fixture.client.send(request)
            #expect(response.status == 200)
            #expect(fixture.server.received.map(\.target) == ["/completed", "/completed"])
            #expect(completions.load(ordering: .relaxed) == 1 && askedToSend.load(ordering: .relaxed) == 2)
        }
    }

    @Test("A request that may not be sent, or has no connection, returns its permits unused")
    func unusedPermits() async throws {
        try await CallFixture.run(
            limit: PermitLimit(requests: 1, window: .seconds(600)), attempts: 3, handler: { _ in .answer() }
        ) { fixture in
            let dead = UpstreamClient(
                runtime: fixture.runtime, provider: "test", baseURL: try BaseURL("http://127.0.0.1:1"),
                credential: Secret("k"), limit: PermitLimit(requests: 1, window: .seconds(600)),
                policy: RetryPolicy(maximumAttempts: 3, baseDelay: .milliseconds(1)))
            var request = UpstreamRequest(path: "/")
            request.maySend = {
                Issue.record("nothing can be sent")
                return true
            }
            await #expect(throws: UpstreamError.self) { try await dead.send(request) }
            request.maySend = { false }
            await #expect(throws: UpstreamError.self) { try await fixture.client.send(request) }
            #expect(fixture.server.received.isEmpty)
            // The only slot, which would be busy for ten minutes, is still free.
            try await fixture.expectStatus(200)
        }
    }

    @Test("A timed-out request keeps its slot, and is retried on a new connection")
    func timedOutRequest() async throws {
        let count = Atomic(0)
        let limit = PermitLimit(requests: 1, window: .seconds(4))
        try await CallFixture.run(
            limit: limit, timeout: .seconds(2),
            handler: { _ in count.add(1, ordering: .relaxed).newValue == 1 ? .hang : .answer() }
        ) { fixture in
            try await fixture.expectStatus(200)
            // On a busy machine the second request may also time out, which causes a third.
            let connections = fixture.server.received.map(\.connection)
            #expect(connections.count >= 2 && Set(connections).count == connections.count)
            // The slot is busy for a window after the hard deadline, which is three seconds after the grant. A slow
            // machine may take that long to receive the request.
            expectLimit(fixture.server.received, requests: 1, window: limit.window)
        }
    }

    @Test("Retries are a limited share of the requests")
    func shareOfRetries() async throws {
        let budgetSpent = Atomic(0)
        let began = ContinuousClock.now
        var breaker = CircuitBreaker.Settings()
        breaker.consecutiveFailures = 10_000
        breaker.window = 10_000
        let storage = try await TestDatabase()
        defer { storage.close() }
        let server = try LocalHTTPServer { _ in .answer(status: 500) }
        defer { server.stop() }
        let runtime = UpstreamRuntime(transport: HTTPTransport(), database: storage.database, breaker: breaker) {
            event in
            if case .retryBudgetSpent = event.kind { budgetSpent.add(1, ordering: .relaxed) }
        }
        let client = UpstreamClient(
            runtime: runtime, provider: "test", baseURL: try BaseURL(server.baseURL), credential: nil,
            limit: PermitLimit(requests: 50, window: .milliseconds(1)), policy: RetryPolicy(baseDelay: .milliseconds(1))
        )
        for _ in 0..<50 { #expect(try await client.send(UpstreamRequest(path: "/")).status == 500) }
        // 20 tokens at the start, fewer than 10 from the calls, and one every six seconds.
        let most = 80 + Int(began.duration(to: .now).components.seconds) / 6 + 1
        #expect((75...most).contains(server.received.count))
        #expect(budgetSpent.load(ordering: .relaxed) > 0)
        await runtime.shutdown()
    }
}
