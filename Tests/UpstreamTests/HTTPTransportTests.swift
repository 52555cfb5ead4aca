import Foundation
import Model
import Synchronization
import TestSupport
import Testing

@testable import Upstream

@Suite("HTTP transport against a real server", .timeLimit(.minutes(5)))
struct HTTPTransportTests {
    /// A transport and a server that both end with the test.
    func withServer(
        _ handler: @escaping @Sendable (LocalHTTPServer.Arrival) -> LocalHTTPServer.Reply,
        _ body: (HTTPTransport, LocalHTTPServer, BaseURL) async throws -> Void
    ) async throws {
        let server = try LocalHTTPServer(handler: handler)
        defer { server.stop() }
        let transport = HTTPTransport(userAgent: "Backline-Tests")
        try await body(transport, server, try BaseURL(server.baseURL))
        await transport.shutdown()
    }

    @Test("A query that is already encoded is not changed")
    func encodedQuery() async throws {
        try await withServer { _ in
            .answer(status: 200, headers: [:], body: [])
        } _: { transport, server, base in
            var request = UpstreamRequest(path: "/a.jpg")
            request.encodedQuery = "b=%2F&c=1,2"
            _ = await transport.send(request, to: base)
            #expect(server.received.first?.target.hasSuffix("/a.jpg?b=%2F&c=1,2") == true)
            request.encodedQuery = "b c"
            guard case .failed(.invalidRequest) = await transport.send(request, to: base).outcome else {
                Issue.record("a space was sent")
                return
            }
        }
    }

    @Test("A request carries its method, path, encoded query, headers and body; the answer comes back whole")
    func roundTrip() async throws {
        try await withServer { arrival in
            .answer(status: 201, headers: ["X-One": "a", "Content-Type": "text/plain"], body: arrival.body)
        } _: { transport, server, base in
            let request = UpstreamRequest(
                method: .post, path: "/v1/things", query: [("q", "Guns N' Roses & más"), ("size", "200")],
                secretQuery: [("apikey", Secret("k+y"))], headers: [("Accept", "application/json"), ("X-Empty", "")],
                secretHeaders: [("Authorization", Secret("Bearer t"))], body: Array("hello".utf8))
            let exchange = await transport.send(request, to: base)

            let response = try #require(exchange.response)
            #expect(response.status == 201)
            #expect(response.headers["x-one"] == "a")
            #expect(response.body == Array("hello".utf8))
            #expect(exchange.mayHaveLeft)

            let arrival = try #require(server.received.first)
            #expect(arrival.method == "POST")
            #expect(arrival.target == "/v1/things?q=Guns%20N%27%20Roses%20%26%20m%C3%A1s&size=200&apikey=k%2By")
            #expect(arrival.headers["authorization"] == "Bearer t")
            #expect(arrival.headers["x-empty"] == "")
            #expect(arrival.headers["user-agent"] == "Backline-Tests")
            #expect(arrival.headers["accept-encoding"]?.contains("br") == true)
            #expect(arrival.headers["content-type"] == nil)
            #expect(arrival.headers["expect"] == nil)
        }
    }

    @Test("A PUT without a body has Content-Length: 0")
    func emptyPut() async throws {
        try await withServer { _ in
            .answer()
        } _: { transport, server, base in
            let exchange = await transport.send(UpstreamRequest(method: .put, path: "/play"), to: base)
            #expect(exchange.response?.status == 200)
            #expect(server.received.first?.headers["content-length"] == "0")
        }
    }

    @Test("A connection is reused")
    func keepAlive() async throws {
        try await withServer { _ in
            .answer()
        } _: { transport, server, base in
            for _ in 0..<3 { _ = await transport.send(UpstreamRequest(path: "/"), to: base) }
            #expect(server.received.map(\.connection) == [0, 0, 0])
        }
    }

    @Test("A request lost on a dying pooled connection is not repeated automatically")
    func deadPooledConnection() async throws {
        let count = Atomic(0)
        try await withServer { _ in
            count.add(1, ordering: .relaxed).newValue == 1 ? .answer() : .close
        } _: { transport, server, base in
            let first = await transport.send(UpstreamRequest(path: "/"), to: base)
            #expect(first.response?.status == 200)

            let admissions = Atomic(0)
            let second = await transport.send(UpstreamRequest(path: "/"), to: base) {
                admissions.add(1, ordering: .relaxed)
                return true
            }
            guard case .failed(.connectionFailed) = second.outcome else {
                Issue.record("expected a failed connection, got \(second.outcome)")
                return
            }
            #expect(second.mayHaveLeft)
            #expect(admissions.load(ordering: .relaxed) == 1)
            #expect(server.received.map(\.connection) == [0, 0])
        }
    }

    @Test("A request without admission is never sent")
    func notAdmitted() async throws {
        try await withServer { _ in
            .answer()
        } _: { transport, server, base in
            let exchange = await transport.send(UpstreamRequest(path: "/"), to: base) { false }
            guard case .notAdmitted = exchange.outcome else {
                Issue.record("expected no admission, got \(exchange.outcome)")
                return
            }
            #expect(!exchange.mayHaveLeft)
            // The next request on the same transport proves that nothing came before it.
            _ = await transport.send(UpstreamRequest(path: "/next"), to: base)
            #expect(server.received.map(\.target) == ["/next"])
        }
    }

    @Test("A timeout resets the connection, and the next request uses a new one")
    func timedOutConnection() async throws {
        try await withServer { arrival in
            arrival.target == "/slow" ? .hang : .answer()
        } _: { transport, server, base in
            let limits = TransferLimits(totalTimeout: .seconds(2))
            let exchange = await transport.send(UpstreamRequest(path: "/slow"), to: base, limits: limits)
            #expect(exchange.error == .timedOut)
            #expect(exchange.mayHaveLeft)
            #expect(await server.endings.first { _ in true } == .reset)

            let next = await transport.send(UpstreamRequest(path: "/"), to: base)
            #expect(next.response?.status == 200)
            #expect(server.received.map(\.connection) == [0, 1])
        }
    }

    @Test("A connection that cannot be made is a failure, and its request was never sent")
    func refusedConnection() async throws {
        let server = try LocalHTTPServer { _ in .answer() }
        let base = try BaseURL(server.baseURL)
        server.stop()
        let transport = HTTPTransport()
        let exchange = await transport.send(UpstreamRequest(path: "/"), to: base)
        guard case .connectionFailed = exchange.error else {
            Issue.record("expected a failed connection, got \(exchange.outcome)")
            return
        }
        #expect(!exchange.mayHaveLeft)
        await transport.shutdown()
    }

    @Test("An answer over the size limit ends the transfer, whether plain or decompressed from gzip")
    func sizeLimit() async throws {
        let zeros = try await gzip(count: 4_000_000)
        #expect(zeros.count < 10_000)
        try await withServer { arrival in
            arrival.target == "/gzip"
                ? .answer(headers: ["Content-Encoding": "gzip"], body: zeros)
                : .answer(body: [UInt8](repeating: 48, count: 200_000))
        } _: { transport, _, base in
            let limits = TransferLimits(maximumResponseBytes: 100_000)
            for path in ["/plain", "/gzip"] {
                let exchange = await transport.send(UpstreamRequest(path: path), to: base, limits: limits)
                #expect(exchange.error == .responseTooLarge(limit: 100_000))
            }
            let roomy = TransferLimits(maximumResponseBytes: 5_000_000)
            let whole = await transport.send(UpstreamRequest(path: "/gzip"), to: base, limits: roomy)
            #expect(whole.response?.body.count == 4_000_000)
        }
    }

    @Test("An answer that ends early is a failed connection")
    func truncatedAnswer() async throws {
        try await withServer { _ in
            .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"half\"".utf8))
        } _: { transport, _, base in
            let exchange = await transport.send(UpstreamRequest(path: "/"), to: base)
            guard case .connectionFailed = exchange.error else {
                Issue.record("expected a failed connection, got \(exchange.outcome)")
                return
            }
        }
    }

    @Test("A redirect is returned, not followed")
    func returnedRedirect() async throws {
        try await withServer { _ in
            .answer(status: 302, headers: ["Location": "/elsewhere"])
        } _: { transport, server, base in
            let exchange = await transport.send(UpstreamRequest(path: "/"), to: base)
            #expect(exchange.response?.status == 302)
            #expect(server.received.map(\.target) == ["/"])
        }
    }

    @Test("Cancelling the task ends the transfer and its connection")
    func cancelledTask() async throws {
        try await withServer { _ in
            .hang
        } _: { transport, server, base in
            let task = Task { await transport.send(UpstreamRequest(path: "/"), to: base) }
            _ = await server.arrivals.first { _ in true }
            task.cancel()
            let exchange = await task.value
            guard case .cancelled = exchange.outcome else {
                Issue.record("expected a cancelled transfer, got \(exchange.outcome)")
                return
            }
            #expect(exchange.mayHaveLeft)
            #expect(await server.endings.first { _ in true } == .reset)
        }
    }

    @Test("A task that was cancelled beforehand sends nothing")
    func cancelledBefore() async throws {
        try await withServer { _ in
            .answer()
        } _: { transport, server, base in
            let exchange = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await transport.send(UpstreamRequest(path: "/"), to: base)
            }.value
            #expect(!exchange.mayHaveLeft)
            _ = await transport.send(UpstreamRequest(path: "/next"), to: base)
            #expect(server.received.map(\.target) == ["/next"])
        }
    }

    @Test("A shutdown ends all transfers; later requests fail without being sent")
    func shutdownEndsTransfers() async throws {
        let server = try LocalHTTPServer { _ in .hang }
        defer { server.stop() }
        let base = try BaseURL(server.baseURL)
        let transport = HTTPTransport()
        let task = Task { await transport.send(UpstreamRequest(path: "/"), to: base) }
        _ = await server.arrivals.first { _ in true }
        await transport.shutdown()
        #expect(await task.value.response == nil)
        let late = await transport.send(UpstreamRequest(path: "/"), to: base)
        #expect(!late.mayHaveLeft)
        #expect(server.received.count == 1)
        await transport.shutdown()
    }

    /// Zeros, compressed.
    private func gzip(count: Int) async throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let script = "head -c \(count) /dev/zero | gzip -c >zeros.gz"
        #expect(try await ChildProcess.run("sh", ["-c", script], folder: folder.path).end == .exited(0))
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("zeros.gz"))))
    }
}

extension Exchange {
    var response: UpstreamResponse? { if case .answered(let response) = outcome { response } else { nil } }
    var error: UpstreamError? { if case .failed(let error) = outcome { error } else { nil } }
}
