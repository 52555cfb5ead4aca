import Foundation
import Synchronization
import TestProcesses
import TestSupport
import Testing

@Suite("Slow clients", .timeLimit(.minutes(20)))
struct SlowClientTests {
    /// Longer than a busy machine needs between accepting a connection and reading the header of a good client.
    static let deadlines = [
        "BACKLINE_HTTP_HEADER_TIMEOUT_SECONDS": "8", "BACKLINE_HTTP_BODY_TIMEOUT_SECONDS": "8",
        // Connections through a proxy have no limit per address.
        "BACKLINE_HTTP_TRUSTED_PROXIES": "127.0.0.1",
    ]

    @Test("A thousand clients that send a byte a second get a 408 and are closed, and others are served meanwhile")
    func thousandSlowClients() async throws {
        try await Installation.run(environment: Self.deadlines) { installation in
            try await installation.startGateway()
            _ = try await installation.startWorker()
            let ada = try await installation.addUser()
            let head = "POST /v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(ada.token ?? "")\r\n"
            let beginnings =
                Array(repeating: "G", count: 400)
                + Array(repeating: head + "Content-Length: 100000\r\n\r\n", count: 400)
                + Array(repeating: head + "Transfer-Encoding: chunked\r\n\r\n186a0\r\n", count: 100)
                // These send on a connection that was used before.
                + Array(repeating: "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nG", count: 100)
            let clients = try TricklingClients(beginnings, to: ada.baseURL)
            let end = Task { try await onThread { try clients.run() } }
            var served = 0
            while clients.openCount > 0 {
                #expect(try await ada.submit(Echo.job(served), wait: 30).state == "succeeded")
                served += 1
            }
            let answers = try await end.value
            #expect(served > 0)
            let wrong = answers.map(RawAnswers.init).enumerated().filter { index, answer in
                answer.statuses != (index < 900 ? [408] : [200, 408]) || answer.codes != ["requestTimeout"]
            }
            #expect(
                wrong.isEmpty, "\(wrong.count), such as \(wrong.first.map { "\($0.offset): \($0.element.text)" } ?? "")"
            )
            try await installation.metrics("the connections that were cut") {
                $0.sum("backline_http_connections_cut_total", ["reason": "header"]) == 500
                    && $0.sum("backline_http_connections_cut_total", ["reason": "body"]) == 500
            }
        }
    }

    @Test("An idle connection is closed, before its first request and after one")
    func idleConnections() async throws {
        let environment = [
            "BACKLINE_HTTP_HEADER_TIMEOUT_SECONDS": "6", "BACKLINE_HTTP_KEEP_ALIVE_SECONDS": "6",
        ]
        try await Installation.run(environment: environment) { installation in
            try await installation.startGateway()
            let silent = try RawConnection(to: installation.visitor.baseURL)
            let used = try RawConnection(to: installation.visitor.baseURL)
            used.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            // This connection ends with its response, and its client does not close its side.
            let last = try RawConnection(to: installation.visitor.baseURL)
            last.send("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(try await silent.receiveAll() == [])
            #expect(RawAnswers(try await used.receiveAll()).statuses == [200])
            #expect(RawAnswers(try await last.receiveAll()).statuses == [200])
            try await eventually("the gateway to close the connection that its client left open") { last.isRefused }
        }
    }

    @Test("A connection whose client reads nothing is closed, and the client resumes with the latest state")
    func clientThatReadsNothing() async throws {
        try await Installation.run(environment: ["BACKLINE_HTTP_WRITE_TIMEOUT_SECONDS": "10"]) { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser()
            let connection = try RawConnection(to: ada.baseURL)
            connection.send(
                "GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(ada.token ?? "")\r\n"
                    + "Last-Event-ID: 0\r\n\r\n")
            // This is far more than fits into the buffers of the connection.
            let filler = String(repeating: "x", count: 900_000)
            var jobs: [String] = []
            for _ in 0..<12 {
                let body = "{\"kind\":\"diagnostics.echo\",\"payload\":\"\(filler)\"}"
                jobs.append(try await ada.submit(body, wait: 30).id)
            }
            try await installation.metrics("the connection that was cut") {
                $0.sum("backline_http_connections_cut_total", ["reason": "write"]) == 1
            }
            var reader = EventText()
            reader.read(try await connection.receiveAll())
            let resumed = try await EventStream.open(ada, lastEventID: reader.lastID.map { "\($0)" } ?? "0")
            try await resumed.job(jobs[11], reaches: "succeeded")
            let told = reader.states.merging(resumed.states) { $1 }
            #expect(jobs.allSatisfy { told[$0] == "succeeded" })
            resumed.close()
        }
    }
}

extension RawConnection {
    /// Sends a byte, and returns whether the gateway has closed the connection.
    var isRefused: Bool {
        var byte: UInt8 = 0x78
        return Glibc.send(descriptor, &byte, 1, Int32(MSG_NOSIGNAL)) < 0
    }
}

/// Many connections that each send a byte a second, on one thread.
final class TricklingClients: Sendable {
    private let connections: [RawConnection]
    private let open: Mutex<Int>

    /// - Parameter beginnings: what each sends at once.
    init(_ beginnings: [String], to baseURL: String) throws {
        connections = try beginnings.map { beginning in
            let connection = try RawConnection(to: baseURL)
            connection.send(beginning)
            return connection
        }
        open = Mutex(beginnings.count)
    }

    var openCount: Int { open.withLock { $0 } }

    /// Sends until the gateway has closed all connections; returns the response of each.
    func run() throws -> [[UInt8]] {
        defer { open.withLock { $0 = 0 } }
        var answers = [[UInt8]](repeating: [], count: connections.count)
        var waiting = Set(connections.indices)
        let header = Array("ET /v1/jobs HTTP/1.1\r\nX-Long: ".utf8)
        for round in 0..<240 where !waiting.isEmpty {
            for index in waiting { connections[index].send([round < header.count ? header[round] : 0x78]) }
            // The pause only sets the pace. The loop ends when the gateway closes the connections.
            let pause = ContinuousClock.now.advanced(by: .seconds(1))
            while ContinuousClock.now < pause, !waiting.isEmpty {
                let indices = Array(waiting)
                var polled = indices.map {
                    pollfd(fd: connections[$0].descriptor, events: Int16(POLLIN), revents: 0)
                }
                guard poll(&polled, nfds_t(polled.count), 50) > 0 else { continue }
                for (index, entry) in zip(indices, polled) where entry.revents != 0 {
                    let bytes = try connections[index].receive()
                    answers[index] += bytes
                    if bytes.isEmpty { waiting.remove(index) }
                }
                open.withLock { $0 = waiting.count }
            }
        }
        guard waiting.isEmpty else { throw WaitTimeout(description: "\(waiting.count) slow connections stayed open.") }
        return answers
    }
}
