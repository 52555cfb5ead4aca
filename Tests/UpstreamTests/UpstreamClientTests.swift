import Foundation
import Model
import Storage
import Synchronization
import Testing

@testable import Upstream

@Suite("Upstream calls, whole", .timeLimit(.minutes(5)))
struct UpstreamClientTests {
    private struct Bench {
        let server: LocalHTTPServer
        let runtime: UpstreamRuntime
        let client: UpstreamClient
        let database: Database

        func expectStatus(
            _ status: Int, _ method: UpstreamRequest.Method = .get, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let response = try await client.send(UpstreamRequest(method: method, path: "/"))
            #expect(response.status == status, sourceLocation: sourceLocation)
        }
    }

    private func withBench(
        limit: PermitLimit = PermitLimit(requests: 20, window: .milliseconds(10)),
        timeout: Duration = .seconds(5), patience: Duration = .seconds(120), attempts: Int = 4,
        breaker: CircuitBreaker.Settings = CircuitBreaker.Settings(),
        classify: @escaping @Sendable (UpstreamResponse) -> ResponseVerdict = { .standard($0) },
        handler: @escaping @Sendable (LocalHTTPServer.Arrival) -> LocalHTTPServer.Reply,
        body: (Bench) async throws -> Void
    ) async throws {
        let storage = try await TemporaryDatabase()
        defer { storage.remove() }
        let server = try LocalHTTPServer(handler: handler)
        defer { server.stop() }
        let runtime = UpstreamRuntime(transport: HTTPTransport(), database: storage.database, breaker: breaker)
        let client = UpstreamClient(
            runtime: runtime, provider: "test", baseURL: try BaseURL(server.baseURL), credential: Secret("k"),
            limit: limit, limits: TransferLimits(totalTimeout: timeout),
            policy: RetryPolicy(
                maximumAttempts: attempts, baseDelay: .milliseconds(1), maximumDelay: .milliseconds(2),
                patience: patience),
            classify: classify)
        try await body(Bench(server: server, runtime: runtime, client: client, database: storage.database))
        await runtime.shutdown()
    }

    /// Answers with each status in turn, then with the last for ever.
    private func statuses(
        _ list: Int..., headers: [String: String] = [:]
    ) -> @Sendable (LocalHTTPServer.Arrival) -> LocalHTTPServer.Reply {
        let rest = Mutex(list)
        return { _ in
            let status = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return .answer(status: status, headers: status == 200 ? [:] : headers)
        }
    }

    @Test("a passing 5xx is tried again; one that stays is handed back in the end")
    func serverErrors() async throws {
        try await withBench(handler: statuses(500, 503, 200)) { bench in
            try await bench.expectStatus(200)
            #expect(bench.server.received.count == 3)
        }
        try await withBench(handler: statuses(502)) { bench in
            try await bench.expectStatus(502)
            #expect(bench.server.received.count == 4)
        }
    }

    @Test("a POST that a server answered with 500 is not sent again; a 4xx never is")
    func unsafeRequests() async throws {
        try await withBench(handler: statuses(500)) { bench in
            try await bench.expectStatus(500, .post)
            #expect(bench.server.received.count == 1)
        }
        try await withBench(handler: statuses(404)) { bench in
            try await bench.expectStatus(404)
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
            for _ in 0..<4 { try await bench.expectStatus(200) }
            expectLimit(bench.server.received, requests: 2, window: limit.window)
            // Four answers, and the second and fifth request fell on a dying connection.
            #expect(bench.server.received.count == 6)
        }
    }

    @Test("a request is completed once, when its permit is there; one that cannot be gives the permit back unused")
    func completion() async throws {
        struct Unwanted: Error {}
        let completions = Atomic(0)
        let departures = Atomic(0)
        try await withBench(
            limit: PermitLimit(requests: 2, window: .seconds(600)), handler: statuses(500, 200)
        ) { bench in
            var unwanted = UpstreamRequest(path: "/unwanted")
            unwanted.complete = { _ in throw Unwanted() }
            await #expect(throws: Unwanted.self) { try await bench.client.send(unwanted) }
            var request = UpstreamRequest(path: "/")
            request.complete = { request in
                completions.add(1, ordering: .relaxed)
                request.path = "/completed"
            }
            request.mayLeave = { departures.add(1, ordering: .relaxed).newValue > 0 }
            // Two slots for ten minutes, and both are needed.
            let response = try await bench.client.send(request)
            #expect(response.status == 200)
            #expect(bench.server.received.map(\.target) == ["/completed", "/completed"])
            #expect(completions.load(ordering: .relaxed) == 1 && departures.load(ordering: .relaxed) == 2)
        }
    }

    @Test("a request that may not leave, or has no connection to leave by, gives its permits back unused")
    func unusedPermits() async throws {
        try await withBench(
            limit: PermitLimit(requests: 1, window: .seconds(600)), attempts: 3, handler: { _ in .answer() }
        ) { bench in
            let dead = UpstreamClient(
                runtime: bench.runtime, provider: "test", baseURL: try BaseURL("http://127.0.0.1:1"),
                credential: Secret("k"), limit: PermitLimit(requests: 1, window: .seconds(600)),
                policy: RetryPolicy(maximumAttempts: 3, baseDelay: .milliseconds(1)))
            var request = UpstreamRequest(path: "/")
            request.mayLeave = {
                Issue.record("nothing can be sent")
                return true
            }
            await #expect(throws: UpstreamError.self) { try await dead.send(request) }
            request.mayLeave = { false }
            await #expect(throws: UpstreamError.self) { try await bench.client.send(request) }
            #expect(bench.server.received.isEmpty)
            // The only slot of ten minutes is free still.
            try await bench.expectStatus(200)
        }
    }

    @Test("Retry-After pauses the whole key, and the call goes on after it")
    func retryAfter() async throws {
        try await withBench(handler: statuses(429, 200, headers: ["Retry-After": "1"])) { bench in
            try await bench.expectStatus(200)
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

    @Test("a POST that a 5xx may have carried out ends with that answer, however long a pause comes with it")
    func pauseAfterUnsafe() async throws {
        try await withBench(handler: statuses(503, headers: ["Retry-After": "600"])) { bench in
            try await bench.expectStatus(503, .post)
            // The pause holds all the same.
            await #expect(throws: UpstreamError.self) { try await bench.client.send(UpstreamRequest(path: "/")) }
            #expect(bench.server.received.count == 1)
        }
        // A 429 was not carried out.
        try await withBench(handler: statuses(429, headers: ["Retry-After": "600"])) { bench in
            await #expect(throws: UpstreamError.self) {
                try await bench.client.send(UpstreamRequest(method: .post, path: "/"))
            }
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
        settings.openDuration = .milliseconds(600)
        try await withBench(
            limit: PermitLimit(requests: 2, window: .milliseconds(400)), attempts: 1, breaker: settings,
            handler: statuses(500, 500, 200)
        ) { bench in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<6 { group.addTask { try await bench.client.send(UpstreamRequest(path: "/")).status } }
                let answers = try await group.reduce(into: []) { $0.append($1) }
                #expect(answers.sorted() == [200, 200, 200, 200, 500, 500])
            }
            let times = bench.server.received.map(\.arrivedAt)
            #expect(times[1].duration(to: times[2]) > .milliseconds(600))
        }
    }

    @Test("a breaker that stays open longer than a call's patience ends the call")
    func breakerBeyondPatience() async throws {
        var settings = CircuitBreaker.Settings()
        settings.consecutiveFailures = 1
        settings.distinctCalls = 1
        settings.openDuration = .seconds(60)
        try await withBench(patience: .seconds(5), attempts: 1, breaker: settings, handler: statuses(500)) { bench in
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

    @Test("a timed-out request keeps its slot, and is tried again on a new connection")
    func timeouts() async throws {
        let count = Atomic(0)
        let limit = PermitLimit(requests: 1, window: .milliseconds(100))
        try await withBench(
            limit: limit, timeout: .milliseconds(200),
            handler: { _ in count.add(1, ordering: .relaxed).newValue == 1 ? .hang : .answer() }
        ) { bench in
            try await bench.expectStatus(200)
            // On a busy machine a connection may time out before its request was read, which makes a further one.
            let connections = bench.server.received.map(\.connection)
            #expect(connections.count == 2 && Set(connections).count == 2)
            // The timeout and the window lie between, at least.
            expectLimit(bench.server.received, requests: 1, window: .milliseconds(300))
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

    @Test("a call that is cancelled after it was sent returns at once; its answer still frees its slot")
    func cancelledAfterSending() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        try await withBench(
            limit: PermitLimit(requests: 1, window: .milliseconds(10)), timeout: .seconds(600),
            handler: { arrival in
                // Blocks the test server's own thread for this connection.
                if arrival.target == "/slow" { mayAnswer.wait() }
                return .answer()
            }
        ) { bench in
            let task = Task { try await bench.client.send(UpstreamRequest(path: "/slow")) }
            _ = await bench.server.arrivals.first { _ in true }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            mayAnswer.signal()
            // Without the answer, the slot would be busy for longer than this test may take.
            try await bench.expectStatus(200)
        }
    }

    @Test("retries are a limited share of the requests")
    func budget() async throws {
        let budgetSpent = Atomic(0)
        var breaker = CircuitBreaker.Settings()
        breaker.consecutiveFailures = 10_000
        breaker.window = 10_000
        let storage = try await TemporaryDatabase()
        defer { storage.remove() }
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
        // 20 saved at the start, less than 10 earned by the calls, and what a few seconds bring.
        #expect((75...84).contains(server.received.count))
        #expect(budgetSpent.load(ordering: .relaxed) > 0)
        await runtime.shutdown()
    }
}
