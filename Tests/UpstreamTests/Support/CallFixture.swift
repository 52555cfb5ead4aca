import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Upstream

/// A client and the server that it calls.
struct CallFixture {
    let server: LocalHTTPServer
    let runtime: UpstreamRuntime
    let client: UpstreamClient
    let database: Database

    /// Runs `body` with a client and a server.
    static func run(
        limit: PermitLimit = PermitLimit(requests: 20, window: .milliseconds(10)),
        timeout: Duration = .seconds(5), waitLimit: Duration = .seconds(120), attempts: Int = 4,
        breaker: CircuitBreaker.Settings = CircuitBreaker.Settings(), breakerClock: MonotonicClock = .system,
        classify: @escaping @Sendable (UpstreamResponse) -> ResponseVerdict = { .standard($0) },
        handler: @escaping @Sendable (LocalHTTPServer.Arrival) -> LocalHTTPServer.Reply,
        body: (CallFixture) async throws -> Void
    ) async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
        let server = try LocalHTTPServer(handler: handler)
        defer { server.stop() }
        let runtime = UpstreamRuntime(
            transport: HTTPTransport(), database: storage.database, breaker: breaker, breakerClock: breakerClock)
        let client = UpstreamClient(
            runtime: runtime, provider: "test", baseURL: try BaseURL(server.baseURL), credential: Secret("k"),
            limit: limit, limits: TransferLimits(totalTimeout: timeout),
            policy: RetryPolicy(
                maximumAttempts: attempts, baseDelay: .milliseconds(1), maximumDelay: .milliseconds(2),
                waitLimit: waitLimit),
            classify: classify)
        try await body(CallFixture(server: server, runtime: runtime, client: client, database: storage.database))
        await runtime.shutdown()
    }

    /// A handler that answers with each status in turn, then always with the last.
    static func statuses(
        _ list: Int..., headers: [String: String] = [:]
    ) -> @Sendable (LocalHTTPServer.Arrival) -> LocalHTTPServer.Reply {
        let rest = Mutex(list)
        return { _ in
            let status = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return .answer(status: status, headers: status == 200 ? [:] : headers)
        }
    }

    /// Takes a permit of the client's key.
    func acquire() async throws -> Permit {
        try await client.permits.acquire(
            .interactive, totalTimeout: client.limits.totalTimeout, waitLimit: .zero, deadline: nil)
    }

    /// Sends these requests one after the other while another one has the only slot, which is then freed.
    ///
    /// - Returns: the paths of the requests as they arrived.
    static func arrivals(of requests: [UpstreamRequest]) async throws -> [String] {
        var paths: [String] = []
        try await run(
            limit: PermitLimit(requests: 1, window: .milliseconds(10)), timeout: .seconds(600), handler: statuses(200)
        ) { paths = try await $0.arrivals(of: requests) }
        return paths
    }

    private func arrivals(of requests: [UpstreamRequest]) async throws -> [String] {
        let held = try await acquire()
        var calls: [Task<UpstreamResponse, any Error>] = []
        for request in requests {
            calls.append(Task { [client] in try await client.send(request) })
            try await untilWaiting(calls.count)
        }
        await client.permits.release(held, RequestEnd(at: .now()))
        for call in calls { _ = try await call.value }
        return server.received.map(\.target)
    }

    /// Waits until this many calls wait for a permit, including background calls.
    private func untilWaiting(_ count: Int) async throws {
        var waiting = 0
        while waiting < count {
            await Task.yield()
            waiting = try await database.read { reader in
                try reader.rows("SELECT calls FROM permit_waiting").map { try $0["calls"] as Int }.reduce(0, +)
            }
        }
    }

    func expectStatus(
        _ status: Int, _ method: UpstreamRequest.Method = .get, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let response = try await client.send(UpstreamRequest(method: method, path: "/"))
        #expect(response.status == status, sourceLocation: sourceLocation)
    }
}

extension MonotonicClock {
    /// A clock that starts at the present and advances only with `clock`.
    static func manual(_ clock: ManualClock) -> MonotonicClock {
        let start = MonotonicInstant.now()
        return MonotonicClock(
            now: { start.advanced(by: clock.now.offset) },
            sleep: { time in
                try await clock.sleep(until: ManualClock.Instant(offset: start.duration(to: time)), tolerance: nil)
            })
    }
}
