import Foundation
import Model
import Storage
import Synchronization
import Testing

@testable import Upstream

@Suite("Upstream calls, whole", .timeLimit(.minutes(1)))
struct UpstreamClientTests {
    private struct Bench {
        let server: LocalHTTPServer
        let runtime: UpstreamRuntime
        let client: UpstreamClient
        let database: Database
    }

    private func withBench(
        limit: PermitLimit = PermitLimit(requests: 20, window: .milliseconds(10)),
        timeout: Duration = .seconds(5), patience: Duration = .seconds(120), attempts: Int = 4,
        breaker: CircuitBreaker.Settings = CircuitBreaker.Settings(),
        classify: @escaping @Sendable (UpstreamResponse) -> ResponseVerdict = { .standard($0) },
        handler: @escaping @Sendable (LocalHTTPServer.Arrival) -> LocalHTTPServer.Reply,
        _ body: (Bench) async throws -> Void
    ) async throws {
        let storage = try await TemporaryDatabase()
        let server = try LocalHTTPServer(handler: handler)
        let runtime = UpstreamRuntime(transport: HTTPTransport(), database: storage.database, breaker: breaker)
        let client = UpstreamClient(
            runtime: runtime, provider: "test", baseURL: try BaseURL(server.baseURL), credential: Secret("k"),
            limit: limit, limits: TransferLimits(totalTimeout: timeout),
            policy: RetryPolicy(
                maximumAttempts: attempts, baseDelay: .milliseconds(1), maximumDelay: .milliseconds(2), patience: patience),
            classify: classify)
        try await body(Bench(server: server, runtime: runtime, client: client, database: storage.database))
        await runtime.shutdown()
        server.stop()
        storage.remove()
    }

    /// Answers with each status in turn, then with the last for ever.
    private func statuses(_ list: Int..., headers: [String: String] = [:]) -> @Sendable (LocalHTTPServer.Arrival) -> LocalHTTPServer.Reply {
        let rest = Mutex(list)
        return { _ in
            let status = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return .answer(status: status, headers: status == 200 ? [:] : headers)
        }
    }

    @Test("a passing 5xx is tried again; one that stays is handed back in the end")
    func serverErrors() async throws {
        try await withBench(handler: statuses(500, 503, 200)) { bench in
            #expect(try await bench.client.send(UpstreamRequest(path: "/")).status == 200)
            #expect(bench.server.received.count == 3)
        }
        try await withBench(handler: statuses(502)) { bench in
            #expect(try await bench.client.send(UpstreamRequest(path: "/")).status == 502)
            #expect(bench.server.received.count == 4)
        }
    }

    @Test("a POST that a server answered with 500 is not sent again; a 4xx never is")
    func unsafeRequests() async throws {
        try await withBench(handler: statuses(500)) { bench in
            #expect(try await bench.client.send(UpstreamRequest(method: .post, path: "/")).status == 500)
            #expect(bench.server.received.count == 1)
        }
        try await withBench(handler: statuses(404)) { bench in
            #expect(try await bench.client.send(UpstreamRequest(path: "/")).status == 404)
            #expect(bench.server.received.count == 1)
        }
    }

    @Test("a dying pooled connection costs one more permit, and the limit holds")
    func droppedConnections() async throws {
        let limit = PermitLimit(requests: 2, window: .milliseconds(150))
        let count = Atomic(0)
        try await withBench(
            limit: limit, handler: { _ in count.add(1, ordering: .relaxed).newValue % 3 == 2 ? .close : .answer() }
        ) { bench in
            for _ in 0..<4 { #expect(try await bench.client.send(UpstreamRequest(path: "/")).status == 200) }
            expectLimit(bench.server.received, requests: 2, window: limit.window)
            #expect(bench.server.received.count == 5)
        }
    }

    @Test("a connection that cannot be made gives its permits back unused")
    func unusedPermits() async throws {
        try await withBench(
            limit: PermitLimit(requests: 1, window: .seconds(600)), attempts: 3, handler: { _ in .answer() }
        ) { bench in
            let dead = UpstreamClient(
                runtime: bench.runtime, provider: "test", baseURL: try BaseURL("http://127.0.0.1:1"),
                credential: Secret("k"), limit: PermitLimit(requests: 1, window: .seconds(600)),
                policy: RetryPolicy(maximumAttempts: 3, baseDelay: .milliseconds(1)))
            await #expect(throws: UpstreamError.self) { try await dead.send(UpstreamRequest(path: "/")) }
            // The only slot of ten minutes is free still.
            #expect(try await bench.client.send(UpstreamRequest(path: "/")).status == 200)
        }
    }

    @Test("Retry-After pauses the whole key, and the call goes on after it")
    func retryAfter() async throws {
        try await withBench(handler: statuses(429, 200, headers: ["Retry-After": "1"])) { bench in
            #expect(try await bench.client.send(UpstreamRequest(path: "/")).status == 200)
            let times = bench.server.received.map(\.arrivedAt)
            #expect(times.count == 2 && times[0].duration(to: times[1]) > .seconds(1))
        }
    }

    @Test("a pause that outlasts the patience ends the call with its time, and calls that follow")
    func longPause() async throws {
        try await withBench(handler: statuses(503, headers: ["Retry-After": "600"])) { bench in
            for _ in 0..<2 {
                let error = await #expect(throws: UpstreamError.self) {
                    try await bench.client.send(UpstreamRequest(path: "/"))
                }
                guard case .paused(let until, .requested) = error else {
                    Issue.record("expected a pause, got \(String(describing: error))")
                    continue
                }
                #expect(until > Timestamp.now().advanced(by: .seconds(590)))
            }
            #expect(bench.server.received.count == 1)
        }
    }

    @Test("a used-up quota ends the call with its reset")
    func quota() async throws {
        let reset = Timestamp.now().advanced(by: .seconds(4_000))
        try await withBench(classify: { _ in .pauseKey(until: reset) }, handler: statuses(429)) { bench in
            let error = await #expect(throws: UpstreamError.self) {
                try await bench.client.send(UpstreamRequest(path: "/"))
            }
            guard case .paused(let until, .quotaExhausted) = error else {
                Issue.record("expected a used-up quota, got \(String(describing: error))")
                return
            }
            #expect(abs(until.duration(to: reset).microseconds) < 1_000_000)
            let status = try await bench.database.read { try $0.permitStatus() }
            #expect(status.first?.pause?.reason == "quotaExhausted")
        }
    }

    @Test("an open breaker holds calls back without sending; its probe lets them through")
    func breaker() async throws {
        var settings = CircuitBreaker.Settings()
        settings.consecutiveFailures = 3
        settings.distinctCalls = 3
        settings.openDuration = .milliseconds(400)
        try await withBench(attempts: 1, breaker: settings, handler: statuses(500, 500, 500, 200)) { bench in
            for _ in 0..<3 { #expect(try await bench.client.send(UpstreamRequest(path: "/")).status == 500) }
            let opened = try #require(bench.server.received.last?.arrivedAt)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<5 { group.addTask { try await bench.client.send(UpstreamRequest(path: "/")).status } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(bench.server.received.count == 8)
            #expect(opened.duration(to: bench.server.received[3].arrivedAt) > .milliseconds(400))
        }
    }

    @Test("a breaker that stays open longer than a call's patience ends the call")
    func breakerBeyondPatience() async throws {
        var settings = CircuitBreaker.Settings()
        settings.consecutiveFailures = 1
        settings.distinctCalls = 1
        settings.openDuration = .seconds(60)
        try await withBench(patience: .seconds(5), attempts: 1, breaker: settings, handler: statuses(500)) { bench in
            #expect(try await bench.client.send(UpstreamRequest(path: "/")).status == 500)
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

    @Test("a timed-out request keeps its slot until its hard deadline, and is tried again on a new connection")
    func timeouts() async throws {
        let count = Atomic(0)
        let limit = PermitLimit(requests: 1, window: .milliseconds(100))
        try await withBench(
            limit: limit, timeout: .milliseconds(200),
            handler: { _ in count.add(1, ordering: .relaxed).newValue == 1 ? .hang : .answer() }
        ) { bench in
            #expect(try await bench.client.send(UpstreamRequest(path: "/")).status == 200)
            let received = bench.server.received
            #expect(received.map(\.connection) == [0, 1])
            #expect(received[0].arrivedAt.duration(to: received[1].arrivedAt) > .milliseconds(1_200))
        }
    }

    @Test("a call that is cancelled while it waits for a permit sends nothing")
    func cancelledWhileWaiting() async throws {
        try await withBench(limit: PermitLimit(requests: 1, window: .seconds(600)), handler: statuses(200)) { bench in
            _ = try await bench.client.send(UpstreamRequest(path: "/"))
            let task = Task { try await bench.client.send(UpstreamRequest(path: "/")) }
            while try await bench.database.read({ try $0.permitStatus() }).first?.waiting != 1 { await Task.yield() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(bench.server.received.count == 1)
        }
    }

    @Test("retries are a limited share of the requests")
    func budget() async throws {
        let budgetSpent = Atomic(0)
        var breaker = CircuitBreaker.Settings()
        breaker.consecutiveFailures = 10_000
        breaker.window = 10_000
        let storage = try await TemporaryDatabase()
        let server = try LocalHTTPServer { _ in .answer(status: 500) }
        let runtime = UpstreamRuntime(transport: HTTPTransport(), database: storage.database, breaker: breaker) { event in
            if case .retryBudgetSpent = event.kind { budgetSpent.add(1, ordering: .relaxed) }
        }
        let client = UpstreamClient(
            runtime: runtime, provider: "test", baseURL: try BaseURL(server.baseURL), credential: nil,
            limit: PermitLimit(requests: 50, window: .milliseconds(1)), policy: RetryPolicy(baseDelay: .milliseconds(1)))
        for _ in 0..<50 { #expect(try await client.send(UpstreamRequest(path: "/")).status == 500) }
        // 20 saved, 10 earned by the calls, and what a few seconds bring.
        #expect((80...84).contains(server.received.count))
        #expect(budgetSpent.load(ordering: .relaxed) > 0)
        await runtime.shutdown()
        server.stop()
        storage.remove()
    }
}
