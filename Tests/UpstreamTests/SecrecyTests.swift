import Foundation
import Model
import Testing

@testable import Upstream

@Suite("Secrets stay out of every error", .timeLimit(.minutes(5)))
struct SecrecyTests {
    private static let key = "S3cretKey+42"

    private var request: UpstreamRequest {
        UpstreamRequest(
            path: "/events.json", secretQuery: [("apikey", Secret(Self.key))],
            secretHeaders: [("Authorization", Secret("Bearer \(Self.key)"))])
    }

    @Test(
        "Errors of refused, broken and unresolvable connections do not contain the key",
        arguments: ["http://127.0.0.1:1", "https://no-such-host.invalid", "https://127.0.0.1:1"])
    func errorsWithoutTheKey(base: String) async throws {
        let transport = HTTPTransport()
        let exchange = await transport.send(request, to: try BaseURL(base))
        #expect(exchange.error != nil)
        expectSecrecy(exchange)
        await transport.shutdown()
    }

    @Test("An answer that breaks off does not leak the key")
    func brokenAnswer() async throws {
        let server = try LocalHTTPServer { arrival in
            // A line that is not HTTP and contains the key as the provider received it.
            .raw(Array("HTTP/1.1 \(arrival.target)\r\n\r\n".utf8))
        }
        defer { server.stop() }
        let transport = HTTPTransport()
        let exchange = await transport.send(request, to: try BaseURL(server.baseURL))
        expectSecrecy(exchange)
        await transport.shutdown()
    }

    @Test("A header with a line break is refused without repeating it")
    func lineBreak() async throws {
        let transport = HTTPTransport()
        let bad = UpstreamRequest(path: "/", secretHeaders: [("Authorization", Secret(Self.key + "\r\nX: y"))])
        let exchange = await transport.send(bad, to: try BaseURL("http://127.0.0.1:1"))
        guard case .invalidRequest = exchange.error else {
            Issue.record("expected a refusal, got \(exchange.outcome)")
            return
        }
        expectSecrecy(exchange)
        await transport.shutdown()
    }

    @Test("libcurl's messages are cut at the query and redacted")
    func redactedMessages() throws {
        let order = try TransferOrder(
            request, to: BaseURL("https://example.com"), limits: TransferLimits(), admission: { true })
        #expect(order.redacted("bad S3cretKey+42 at https://x/y?apikey=S3cretKey") == "bad ••• at https://x/y")
        #expect(order.redacted("S3cretKey%2B42") == "•••")
    }

    private func expectSecrecy(_ exchange: Exchange) {
        for text in ["\(exchange)", String(reflecting: exchange), exchange.error.map { "\($0)" } ?? ""] {
            if case .answered = exchange.outcome { continue }
            #expect(!text.contains("S3cretKey"))
        }
    }
}
