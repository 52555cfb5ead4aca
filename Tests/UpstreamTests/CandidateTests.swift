import Model
import PermitStorage
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Upstream

@Suite("Candidate credentials", .timeLimit(.minutes(5)))
struct CandidateTests {
    private func client(
        _ runtime: UpstreamRuntime, _ credential: String, isCandidate: Bool = true, baseURL: String,
        limit: PermitLimit = PermitLimit(requests: 5, window: .seconds(1))
    ) throws -> UpstreamClient {
        UpstreamClient(
            runtime: runtime, provider: "test", baseURL: try BaseURL(baseURL), credential: Secret(credential),
            isCandidate: isCandidate, limit: limit, limits: TransferLimits(totalTimeout: .seconds(200)))
    }

    private func withRuntime(
        handler: @escaping @Sendable (LocalHTTPServer.Arrival) -> LocalHTTPServer.Reply,
        body: (UpstreamRuntime, LocalHTTPServer, Database) async throws -> Void
    ) async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
        let server = try LocalHTTPServer(handler: handler)
        defer { server.stop() }
        let runtime = UpstreamRuntime(transport: HTTPTransport(), database: storage.database)
        try await body(runtime, server, storage.database)
        await runtime.shutdown()
    }

    @Test("All candidates of a provider share one limit")
    func sharedLimit() async throws {
        let most = UpstreamClient.candidateLimit.requests
        try await withRuntime(handler: { _ in .hang }) { runtime, server, database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<(3 * most) {
                    let client = try client(runtime, "key \(number)", baseURL: server.baseURL)
                    group.addTask { _ = try? await client.send(UpstreamRequest(path: "/")) }
                }
                var arrivals = server.arrivals.makeAsyncIterator()
                for _ in 0..<most { _ = await arrivals.next() }
                // The others also have no permit of their own key.
                let status = try await database.read { try $0.permits.permitStatus() }
                let candidates = status.filter { $0.key == "test:candidates" }
                #expect(candidates.map(\.busy) == [most] && status.count == most + 1)
                #expect(server.received.count == most)
                group.cancelAll()
            }
        }
    }

    @Test("A candidate that is already in use shares the limit of its key")
    func candidateInUse() async throws {
        let limit = PermitLimit(requests: 2, window: .milliseconds(200))
        try await withRuntime(handler: { _ in .answer() }) { runtime, server, _ in
            let clients = try [true, false].map {
                try client(runtime, "key", isCandidate: $0, baseURL: server.baseURL, limit: limit)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask { _ = try await clients[number % 2].send(UpstreamRequest(path: "/")) }
                }
                try await group.waitForAll()
            }
            #expect(server.received.count == 8)
            expectLimit(server.received, requests: limit.requests, window: limit.window)
        }
    }

    @Test("Unused breakers are removed from memory; those that are used or open stay")
    func unusedBreakers() async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
        let now = Mutex(MonotonicInstant(microseconds: 0))
        let clock = MonotonicClock(now: { now.withLock { $0 } }, sleep: { _ in })
        let runtime = UpstreamRuntime(transport: HTTPTransport(), database: storage.database, breakerClock: clock)
        func gate(_ name: String) -> CircuitGate {
            runtime.gate(of: PermitKey(provider: "p", credential: Secret(name), scope: nil))
        }
        let held = gate("held")
        let lately = ObjectIdentifier(gate("lately"))
        for person in 0..<1_000 {
            _ = gate("person \(person)")
            now.withLock { $0 = $0.advanced(by: .seconds(60)) }
            #expect(ObjectIdentifier(gate("lately")) == lately)
        }
        #expect(runtime.keyCount < 100)
        #expect(gate("held") === held)
        await runtime.shutdown()
    }

    @Test("Candidates leave nothing in memory; clients with the same key share its queue")
    func nothingStaysInMemory() async throws {
        try await withRuntime(handler: { _ in .answer() }) { runtime, server, _ in
            let held = try client(runtime, "held", isCandidate: false, baseURL: server.baseURL)
            for number in 0..<1_000 { _ = try client(runtime, "key \(number)", baseURL: server.baseURL) }
            #expect(runtime.keyCount < 100)
            let again = try client(runtime, "held", isCandidate: false, baseURL: server.baseURL)
            #expect(again.permits === held.permits && again.gate === held.gate)
        }
    }
}
