import Foundation
import TestProcesses
import TestSupport
import Testing

/// A client that keeps the connection takes bytes after the head of an answer to `HEAD` for the beginning of the next
/// answer.
@Suite("Answers to HEAD, and bodies that are announced", .timeLimit(.minutes(20)))
struct HeadTests {
    /// A request, and the status of its answer.
    struct Asked: Sendable, CustomStringConvertible {
        var path: String
        var status: Int
        var fields = ["Host: x"]

        var description: String { "HEAD \(path.prefix(40)) \(status)" }

        var bytes: [UInt8] { Exchange.request("HEAD \(path) HTTP/1.1", fields) }
    }

    static let asked: [Asked] = [
        .init(path: "/", status: 200), .init(path: "/nowhere", status: 404), .init(path: "/healthz", status: 405),
        .init(path: "/v1/events", status: 405), .init(path: "/v1/jobs", status: 405),
        .init(path: "/v1/jobs/1/2/3", status: 404), .init(path: "/assets/nothing.js", status: 404),
        .init(path: "/1/user/ada/listens", status: 401), .init(path: "/1/submit-listens", status: 405),
        .init(path: "/1/nothing", status: 404), .init(path: "/" + String(repeating: "a", count: 9_000), status: 414),
        .init(path: "/healthz", status: 400, fields: ["Host: x", "Host: y"]),
        .init(path: "/healthz", status: 431, fields: ["Host: x", "X-A: " + String(repeating: "b", count: 40_960)]),
        .init(path: "/healthz", status: 400, fields: ["Host : x"]),
    ]

    @Test("No answer to HEAD has a body, on any path and with any status, and the connection continues")
    func answersWithoutBodies() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let address = installation.visitor.baseURL
            for one in Self.asked {
                let alone = try RawConnection(to: address)
                alone.send(one.bytes)
                alone.finish()
                let text = RawAnswers(try await alone.receiveAll()).text
                #expect(text.hasPrefix("HTTP/1.1 \(one.status) ") && text.hasSuffix("\r\n\r\n"), "\(one): \(text)")
                #expect(text.components(separatedBy: "\r\n\r\n").count == 2, "\(one): \(text)")
                guard ![400, 414, 431].contains(one.status) else { continue }
                let kept = try RawConnection(to: address)
                kept.send(one.bytes + Exchange.alive)
                kept.finish()
                let both = RawAnswers(try await kept.receiveAll())
                #expect(both.statuses == [one.status, 200] && both.text.hasSuffix(#"{"status":"alive"}"#), "\(one)")
            }
        }
    }

    private func request(_ path: String, length: Int, _ ada: APIClient, expects: Bool) -> [UInt8] {
        let fields = ["Host: x", "Authorization: Bearer \(ada.token ?? "")", "Content-Length: \(length)"]
        return Exchange.request("POST \(path) HTTP/1.1", fields + (expects ? ["Expect: 100-continue"] : []))
    }

    @Test("A client that waits for 100 Continue gets it once, before it sends its body")
    func expectedContinue() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let connection = try RawConnection(to: ada.baseURL)
            let body = Exchange.job
            connection.send(request("/v1/jobs", length: body.utf8.count, ada, expects: true))
            let first = try await onThread { try connection.receive() }
            #expect(String(decoding: first, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
            connection.send(body)
            connection.send(Exchange.alive)
            connection.finish()
            #expect(RawAnswers(try await connection.receiveAll()).statuses == [202, 200])
            // A client that does not wait needs no answer to its expectation.
            let hasty = try RawConnection(to: ada.baseURL)
            hasty.send(request("/v1/jobs", length: body.utf8.count, ada, expects: true) + Array(body.utf8))
            hasty.finish()
            #expect(RawAnswers(try await hasty.receiveAll()).statuses.last == 202)
        }
    }

    @Test(
        "A declared length over the limit is refused at once, before any part of the body is sent",
        arguments: ["/v1/jobs", "/v1/library/imports?filename=a.csv"], [true, false])
    func declaredLength(path: String, expects: Bool) async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let connection = try RawConnection(to: ada.baseURL)
            connection.send(request(path, length: 1 << 50, ada, expects: expects))
            let text = String(decoding: try await onThread { try connection.receive() }, as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 413 ") && text.contains(#""code":"bodyTooLarge""#), "\(text)")
            // It is unknown whether a client that waited sends its body nevertheless.
            if expects { #expect(text.lowercased().contains("connection: close")) }
        }
    }
}
