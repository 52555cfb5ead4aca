import TestProcesses
import Testing

/// The bytes that a client sends on a connection, and the gateway's responses.
struct Exchange: Sendable, CustomStringConvertible {
    var why: String
    var bytes: [UInt8]
    /// The statuses of the responses, in order; none when the connection is only closed.
    var statuses: [Int]
    var code: String?

    var description: String { why }

    static func request(_ line: String, _ fields: [String] = ["Host: x"], body: String = "") -> [UInt8] {
        Array(([line] + fields).map { $0 + "\r\n" }.joined().utf8) + Array("\r\n\(body)".utf8)
    }

    static func notHTTP(_ why: String, _ bytes: [UInt8]) -> Exchange {
        Exchange(why: why, bytes: bytes, statuses: [400], code: "invalidHTTP")
    }

    /// A request whose header is wrong.
    static func header(_ why: String, _ fields: String...) -> Exchange {
        notHTTP(why, request("GET /healthz HTTP/1.1", fields))
    }

    /// A submission whose length is given in a way that proxies and servers read differently.
    static func framing(_ why: String, _ fields: String..., body: String = "0\r\n\r\n") -> Exchange {
        notHTTP(why, request("POST /v1/jobs HTTP/1.1", ["Host: x", Self.token] + fields, body: body))
    }

    static func path(_ path: String, _ status: Int, _ code: String?) -> Exchange {
        Exchange(
            why: path, bytes: request("GET \(path) HTTP/1.1", ["Host: x", Self.token]), statuses: [status],
            code: code)
    }

    static func fine(_ why: String, _ bytes: [UInt8], _ statuses: [Int] = [200]) -> Exchange {
        Exchange(why: why, bytes: bytes, statuses: statuses)
    }

    /// A placeholder for a valid token.
    static let token = "Authorization: Bearer TOKEN"
    static let alive = request("GET /healthz HTTP/1.1")
    static let job = #"{"kind":"diagnostics.echo"}"#
}

@Suite("Raw bytes on a connection", .timeLimit(.minutes(20)))
struct RawRequestTests {
    static let broken: [Exchange] = [
        .notHTTP("zeros", Array(repeating: 0, count: 100)),
        .notHTTP("a TLS hello", [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03]),
        .notHTTP("HTTP/2", Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)),
        .notHTTP("no such version", Exchange.request("GET /healthz HTTP/9.9")),
        .notHTTP("an unknown method", Exchange.request("FOO /healthz HTTP/1.1")),
        .notHTTP("a method in small letters", Exchange.request("get /healthz HTTP/1.1")),
        .notHTTP("a path without a slash", Exchange.request("GET healthz HTTP/1.1")),
        .notHTTP("a path that is no ASCII", Array("GET /".utf8) + [0xFF] + Array(" HTTP/1.1\r\nHost: x\r\n\r\n".utf8)),
        .notHTTP("lines that end in a line feed", Array("GET /healthz HTTP/1.1\nHost: x\n\n".utf8)),
        .header("no host"), .header("two hosts", "Host: a", "Host: b"),
        .header("a folded field", "Host: x", "X-A: b", " c"), .header("a blank before the colon", "Host : x"),
        .header("a zero in a field", "Host: x", "X-A: \0"),
        .framing("both lengths", "Content-Length: 5", "Transfer-Encoding: chunked"),
        .framing("both lengths the other way round", "Transfer-Encoding: chunked", "Content-Length: 5"),
        .framing("two lengths", "Content-Length: 5", "Content-Length: 6"),
        .framing("one length twice", "Content-Length: 5", "Content-Length: 5"),
        .framing("a list of lengths", "Content-Length: 5, 5"), .framing("a length with a sign", "Content-Length: +5"),
        .framing("a negative length", "Content-Length: -1"), .framing("a length in hexadecimal", "Content-Length: 0x5"),
        .framing("a length beyond all integers", "Content-Length: 99999999999999999999999"),
        .framing("an unknown coding", "Transfer-Encoding: xchunked"),
        .framing("another coding before chunked", "Transfer-Encoding: gzip, chunked"),
        .framing("another coding after chunked", "Transfer-Encoding: chunked, identity"),
        .framing("chunked in two fields", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"),
        .framing("a chunk larger than all integers", "Transfer-Encoding: chunked", body: "FFFFFFFFFFFFFFFFF\r\n"),
        .framing("a chunk of no number", "Transfer-Encoding: chunked", body: "zz\r\n"),
        .framing("a chunk of a negative size", "Transfer-Encoding: chunked", body: "-1\r\n"),
        .framing("a chunk longer than it says", "Transfer-Encoding: chunked", body: "1\r\nabc\r\n0\r\n\r\n"),
    ]

    static let large: [Exchange] = [
        Exchange(
            why: "a hundred and one fields",
            bytes: Exchange.request(
                "GET /healthz HTTP/1.1", Array(repeating: "X-A: b", count: 100) + ["Host: x"]),
            statuses: [431], code: "headerTooLarge"),
        Exchange(
            why: "a field of 40 KiB",
            bytes: Exchange.request(
                "GET /healthz HTTP/1.1", ["Host: x", "X-A: " + String(repeating: "b", count: 40_960)]),
            statuses: [431], code: "headerTooLarge"),
        Exchange(
            why: "40 fields of 1 KiB",
            bytes: Exchange.request(
                "GET /healthz HTTP/1.1",
                ["Host: x"] + (0..<40).map { "X-\($0): " + String(repeating: "b", count: 1_024) }),
            statuses: [431], code: "headerTooLarge"),
        Exchange(
            why: "a field without end",
            bytes: Array(("GET / HTTP/1.1\r\nX-A: " + String(repeating: "b", count: 1 << 20)).utf8), statuses: [431],
            code: "headerTooLarge"),
        Exchange(
            why: "trailers without end",
            bytes: Exchange.request(
                "POST /v1/jobs HTTP/1.1", ["Host: x", Exchange.token, "Transfer-Encoding: chunked"],
                body: "0\r\n" + String(repeating: "X-A: b\r\n", count: 200)), statuses: [431], code: "headerTooLarge"),
        .path("/" + String(repeating: "a", count: 8_192), 414, "targetTooLong"),
        .path("/v1/jobs?kind=" + String(repeating: "a", count: 8_192), 414, "targetTooLong"),
        .path("/" + String(repeating: "a", count: 8_191), 404, "noSuchEndpoint"),
    ]

    static let paths: [Exchange] = [
        .path("/../../etc/passwd", 404, "noSuchEndpoint"), .path("/assets/../index.html", 404, "noSuchEndpoint"),
        .path("/assets/%2e%2e/index.html", 404, "noSuchEndpoint"),
        .path("/assets/..%2findex.html", 404, "noSuchEndpoint"),
        .path("/assets/main.js%00.css", 404, "noSuchEndpoint"), .path("/%00", 404, "noSuchEndpoint"),
        .path("/v1/jobs/%2e%2e", 404, "notFound"), .path("/v1/jobs/%00", 404, "notFound"),
        .path("/v1/jobs/%ff", 404, "notFound"), .path("/v1/jobs/..%2fjobs", 404, "notFound"),
        .path("/v1/jobs#a", 404, "noSuchEndpoint"), .path("*", 404, "noSuchEndpoint"),
        .path("//v1//jobs", 200, nil), .path("/v1/jobs/", 200, nil),
        .path("http://elsewhere.example/v1/jobs", 200, nil),
        .path("/v1/jobs?state=%ff", 422, "invalidParameter"), .path("/v1/jobs?limit=%00", 422, "invalidParameter"),
        .path("/v1/jobs?cursor=%zz%", 422, "invalidParameter"), .path("/v1/jobs?kind=%ff%00", 200, nil),
        .path("/v1/jobs?limit=99999999999999999999", 422, "invalidParameter"),
        .path("/v1/concerts/nearby?city=%ff&radius=1e9", 422, "invalidParameter"),
        .path("/v1/concert-searches/%00%ff", 404, "notFound"),
    ]

    static let unusual: [Exchange] = [
        .fine("HTTP/1.0 without a host", Exchange.request("GET /healthz HTTP/1.0", [])),
        .fine("blank lines before it", Array("\r\n\r\n".utf8) + Exchange.alive),
        .fine("three at once", Exchange.alive + Exchange.alive + Exchange.alive, [200, 200, 200]),
        .fine(
            "one after the connection's last",
            Exchange.request("GET /healthz HTTP/1.1", ["Host: x", "Connection: Close"]) + Exchange.alive),
        .fine(
            "an upgrade that nobody speaks",
            Exchange.request("GET /healthz HTTP/1.1", ["Host: x", "Connection: Upgrade", "Upgrade: websocket"])
                + Exchange.alive),
        .fine(
            "a body in chunks",
            Exchange.request(
                "POST /v1/jobs HTTP/1.1", ["Host: x", Exchange.token, "Transfer-Encoding: chunked"],
                body: "1b\r\n\(Exchange.job)\r\n0\r\n\r\n"), [202]),
        Exchange(
            why: "a wrong one after a correct one", bytes: Exchange.alive + [0, 1, 2], statuses: [200, 400],
            code: "invalidHTTP"),
        Exchange(
            why: "more than its length after a submission",
            bytes: Exchange.request(
                "POST /v1/jobs HTTP/1.1", ["Host: x", Exchange.token, "Content-Length: 27"],
                body: Exchange.job + "GET"),
            statuses: [202]),
        Exchange(
            why: "TRACE", bytes: Exchange.request("TRACE /v1/jobs HTTP/1.1", ["Host: x", Exchange.token]),
            statuses: [405], code: "methodNotAllowed"),
        Exchange(
            why: "OPTIONS of all", bytes: Exchange.request("OPTIONS * HTTP/1.1"), statuses: [404],
            code: "noSuchEndpoint"),
        Exchange(
            why: "CONNECT", bytes: Exchange.request("CONNECT x:80 HTTP/1.1"), statuses: [404], code: "noSuchEndpoint"),
        Exchange(
            why: "a token that is not a text",
            bytes: Array("GET /v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ".utf8) + [0xFF, 0xFE]
                + Array("\r\n\r\n".utf8), statuses: [401], code: "unauthorized"),
        Exchange(why: "no request", bytes: Array("\r\n\r\n".utf8), statuses: []),
        Exchange(why: "half a header", bytes: Array("GET /v1/jo".utf8), statuses: []),
        Exchange(
            why: "half a body",
            bytes: Exchange.request(
                "POST /v1/jobs HTTP/1.1", ["Host: x", Exchange.token, "Content-Length: 100"], body: "{"), statuses: []),
    ]

    @Test(
        "Each connection gets its responses or is closed, and the gateway serves the next",
        arguments: [broken, large, paths, unusual])
    func tableOfRequests(exchanges: [Exchange]) async throws {
        try await Installation.run { installation in
            let gateway = try await installation.startGateway()
            let ada = try await installation.addUser()
            for exchange in exchanges {
                let connection = try RawConnection(to: ada.baseURL, receiveBufferBytes: 65_536)
                let bytes =
                    String(decoding: exchange.bytes, as: Unicode.ASCII.self).contains("TOKEN")
                    ? exchange.bytes.replacing(Array("TOKEN".utf8), with: Array((ada.token ?? "").utf8))
                    : exchange.bytes
                connection.send(bytes)
                connection.finish()
                let answers = RawAnswers(try await connection.receiveAll())
                #expect(
                    answers.statuses == exchange.statuses, "\(exchange.why.prefix(80)): \(answers.text.prefix(400))")
                #expect(answers.codes.last == exchange.code, "\(exchange.why.prefix(80)): \(answers.text.prefix(400))")
                if exchange.code == "headerTooLarge" {
                    let limits = "at most 32768 bytes together (http.maximumHeaderBytes), and 100 fields"
                    #expect(answers.text.contains(limits), "\(exchange.why): \(answers.text.prefix(400))")
                }
                #expect(try await installation.visitor.get("/healthz").status == 200)
            }
            let trouble = gateway.errors.lines.filter { $0.contains(" error ") || $0.contains(" warning ") }
            #expect(trouble == [])
        }
    }
}
