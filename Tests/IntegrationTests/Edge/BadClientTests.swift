import TestProcesses
import Testing

@Suite("Clients that behave badly", .timeLimit(.minutes(20)))
struct BadClientTests {
    /// The bytes that a client sends on a connection.
    struct Noise: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]

        init(_ description: String, _ bytes: [UInt8]) {
            (testDescription, self.bytes) = (description, bytes)
        }
    }

    struct Silence: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var words: @Sendable (_ token: String) -> String

        static let all = [
            Silence(testDescription: "nothing") { _ in "" },
            Silence(testDescription: "half a line") { _ in "GET /v1/jo" },
            Silence(testDescription: "half a header") { _ in "GET /v1/jobs HTTP/1.1\r\nHost: x\r\nAuthor" },
            Silence(testDescription: "half a body") {
                "POST /v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \($0)\r\nContent-Length: 100\r\n\r\n"
                    + "{\"kind\""
            },
            Silence(testDescription: "a whole request, and it stays") {
                "GET /v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \($0)\r\n\r\n"
            },
        ]
    }

    /// Connections get half of the grace period to end.
    static let grace = ["BACKLINE_WORKER_GRACE_SECONDS": "16"]

    @Test(
        "A silent connection delays nobody and does not prevent the gateway from stopping",
        arguments: Silence.all)
    func silentConnection(_ silence: Silence) async throws {
        try await Installation.run(environment: Self.grace) { installation in
            let (gateway, _) = try await installation.startAll()
            let ada = try await installation.addUser()
            let connection = try RawConnection(to: ada.baseURL)
            connection.send(silence.words(ada.token ?? ""))
            #expect(try await ada.submit(Echo.job(), wait: 30).state == "succeeded")
            gateway.terminate()
            #expect(try await gateway.waitForEnd() == .exited(0))
            withExtendedLifetime(connection) {}
        }
    }

    @Test("An event stream that is not read delays neither others nor the shutdown")
    func unreadStream() async throws {
        try await Installation.run(environment: Self.grace) { installation in
            let (gateway, _) = try await installation.startAll()
            let ada = try await installation.addUser()
            let connection = try RawConnection(to: ada.baseURL)
            connection.send(
                "GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(ada.token ?? "")\r\n"
                    + "Last-Event-ID: 0\r\n\r\n"
            )
            // This is far more than fits into the buffers of the connection.
            let filler = String(repeating: "x", count: 900_000)
            for _ in 0..<12 {
                let body = "{\"kind\":\"diagnostics.echo\",\"payload\":\"\(filler)\"}"
                #expect(try await ada.submit(body, wait: 30).state == "succeeded")
            }
            let stream = try await EventStream.open(ada)
            let job = try await ada.submit(Echo.job())
            try await stream.job(job.id, reaches: "succeeded")
            gateway.terminate()
            #expect(try await gateway.waitForEnd() == .exited(0))
            withExtendedLifetime(connection) {}
        }
    }

    @Test("A client that disconnects during its request causes no error in the log", arguments: [false, true])
    func goneClient(abruptly: Bool) async throws {
        try await Installation.run(environment: ["BACKLINE_LOG_LEVEL": "debug"]) { installation in
            let gateway = try await installation.startGateway()
            let ada = try await installation.addUser()
            var connection: RawConnection? = try RawConnection(to: ada.baseURL)
            if abruptly { connection?.resetAtEnd() }
            connection?.send(
                "POST /v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(ada.token ?? "")\r\n"
                    + "Content-Length: 100\r\n\r\n{\"kind\"")
            try await connection?.waitUntilRead()
            // The request is under way once a later request of the same user has been answered.
            #expect(try await ada.get("/v1/jobs").status == 200)
            connection = nil
            try await gateway.waitForLog("the client disconnected")
            try await installation.metrics("the request that was given up") {
                $0.sum("backline_http_requests_total", ["route": "/v1/jobs", "status": "499"]) == 1
            }
            let trouble = gateway.errors.lines.filter { $0.contains(" error ") || $0.contains(" warning ") }
            #expect(trouble == [])
        }
    }

    @Test(
        "Bytes that are not HTTP affect only their sender",
        arguments: [
            Noise("a TLS hello", [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03]),
            Noise("zeros", Array(repeating: 0, count: 100_000)),
            Noise("one letter a million times", Array(repeating: UInt8(ascii: "A"), count: 1_000_000)),
            Noise("empty lines", Array("\r\n\r\n\r\n".utf8)),
            Noise("a negative length", Array("POST /v1/jobs HTTP/1.1\r\nContent-Length: -1\r\n\r\n".utf8)),
            Noise(
                "a chunk of more bytes than there are numbers",
                Array("POST /v1/jobs HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n".utf8)),
            Noise("no such version", Array("GET / HTTP/9.9\r\n\r\n".utf8)),
        ])
    func noHTTP(noise: Noise) async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let connection = try RawConnection(to: installation.visitor.baseURL)
            connection.send(noise.bytes)
            #expect(try await installation.visitor.get("/healthz").status == 200)
        }
    }
}
