import Foundation
import Testing

@testable import UpstreamSimulator

/// Each fault on a real connection, followed by a correct answer.
@Suite("Faults over HTTP")
struct ServerFaultTests {
    /// Adds one fault; returns the next answer.
    private func apply(
        _ rule: String, _ check: @escaping @Sendable (RunningSimulator, RawResponse) async throws -> Void
    ) async throws {
        try await withSimulator { server in
            let ordered = try await server.send("POST", "/_sim/faults", body: rule)
            try #require(ordered.status == 200, "\(ordered.text)")
            try await check(server, try await server.events("size=6&keyword=Adele"))
            let after = try await server.events("size=6&keyword=Adele")
            #expect(after.status == 200 && after.isComplete && after.json?["page"] != nil)
        }
    }

    @Test("The fault html is a 200 with a web page")
    func htmlAnswer() async throws {
        try await apply(#"{"fault": "html", "times": 1}"#) { _, response in
            #expect(response.status == 200)
            #expect(response.headers["content-type"]?.hasPrefix("text/html") == true)
            #expect(response.text.hasPrefix("<!DOCTYPE html>"))
        }
    }

    @Test("The fault truncated sends half of the promised body and closes the connection")
    func truncatedAnswer() async throws {
        try await apply(#"{"fault": "truncated", "times": 1}"#) { server, response in
            #expect(response.status == 200)
            #expect(!response.isComplete)
            #expect(!response.body.isEmpty)
            #expect(response.headers["content-length"].flatMap { Int($0) } ?? 0 > response.body.count)
            #expect(server.counters.faults == 1)
        }
    }

    @Test("The fault truncatedJSON is a complete answer with incomplete JSON")
    func truncatedJSON() async throws {
        try await apply(#"{"fault": "truncatedJSON", "times": 1}"#) { _, response in
            #expect(response.status == 200 && response.isComplete)
            #expect(response.text.hasPrefix("{") && response.json == nil)
        }
    }

    @Test("The fault drop closes the connection without an answer")
    func droppedConnection() async throws {
        try await apply(#"{"fault": "drop", "times": 1}"#) { server, response in
            #expect(response.status == 0 && response.body.isEmpty)
            #expect(server.counters.arrivals == 1)
        }
    }

    @Test("The faults status500 and status503 are web pages, the latter with Retry-After when given")
    func serverErrors() async throws {
        try await apply(#"{"fault": "status500", "times": 1}"#) { _, response in
            #expect(response.status == 500 && response.text.contains("<html>"))
            #expect(response.headers["rate-limit"] == nil)
        }
        try await apply(#"{"fault": "status503", "retryAfter": 7, "times": 1}"#) { _, response in
            #expect(response.status == 503 && response.headers["retry-after"] == "7")
        }
    }

    @Test("The faults spike429 and quota429 refuse requests within the limits")
    func exhaustedLimits() async throws {
        try await apply(#"{"fault": "spike429", "times": 1}"#) { server, response in
            #expect(response.status == 429 && response.text.contains("SpikeArrestViolation"))
            #expect(server.counters.spike429 == 1)
        }
        try await apply(#"{"fault": "quota429", "times": 1}"#) { server, response in
            #expect(response.status == 429 && response.text.contains("Identifier : demo-key"))
            #expect(response.headers["rate-limit-reset"] == nil)
            #expect(server.counters.quota429 == 1)
        }
        try await apply(#"{"fault": "quota429", "resetAt": 1790000000123, "times": 1}"#) { _, response in
            #expect(response.headers["rate-limit-reset"] == "1790000000123")
        }
    }

    @Test("The fault nullItems puts nulls among the events and inside them")
    func nullItems() async throws {
        try await apply(#"{"fault": "nullItems", "times": 1}"#) { _, response in
            let events = try #require(response.json?.path("_embedded", "events") as? [Any])
            #expect(events.contains { $0 is NSNull })
            let first = try #require(events.compactMap { $0 as? [String: Any] }.first)
            #expect((first["images"] as? [Any])?.first is NSNull)
            #expect((first.path("_embedded", "venues") as? [Any])?.first is NSNull)
        }
    }

    @Test("The fault malformedItem puts one event of wrong types among correct ones")
    func malformedItem() async throws {
        try await apply(#"{"fault": "malformedItem", "times": 1}"#) { _, response in
            let events = try #require(response.json?.path("_embedded", "events") as? [[String: Any]])
            #expect(events.filter { $0["dates"] is String }.count == 1)
            #expect(events.filter { $0["dates"] is [String: Any] }.count > 1)
        }
    }

    @Test("The fault slow delays the correct answer")
    func slowAnswer() async throws {
        try await withSimulator { server in
            try await server.send("POST", "/_sim/faults", body: #"{"fault": "slow", "ms": 300, "times": 1}"#)
            let clock = ContinuousClock()
            let sent = clock.now
            let response = try await server.events()
            #expect(response.status == 200)
            #expect(clock.now - sent >= .milliseconds(300))
        }
    }

    @Test(
        "The fault closeAfterResponse closes the connection unannounced after a complete answer",
        .timeLimit(.minutes(5)))
    func closeAfterResponse() async throws {
        try await withSimulator { server in
            let rule = #"{"fault": "closeAfterResponse", "match": {"path": "events"}, "times": 1}"#
            try await server.send("POST", "/_sim/faults", body: rule)
            let connection = try await RawClient(port: server.port)
            let path = "/discovery/v2/events.json?apikey=demo-key&size=200"
            let response = try await connection.send("GET", path)
            #expect(response.isComplete && response.json != nil)
            #expect(response.headers["connection"] == nil)
            #expect(await connection.isEndedByServer())
            try await connection.close()

            let kept = try await RawClient(port: server.port)
            for _ in 0..<2 { #expect(try await kept.send("GET", path).isComplete) }
            try await kept.close()
        }
    }

    @Test("A rule applies to the requests that it matches, several can be posted as a list, and DELETE removes all")
    func rulesOfFaults() async throws {
        try await withSimulator { server in
            let rules = """
                [{"match": {"keyword": "Adele"}, "fault": "status500"},
                 {"match": {"path": "venues"}, "fault": "drop"}]
                """
            #expect(try await server.send("POST", "/_sim/faults", body: rules).status == 200)
            for _ in 0..<2 { #expect(try await server.events("keyword=Adele").status == 500) }
            #expect(try await server.events("keyword=Muse").status == 200)
            try await server.send("DELETE", "/_sim/faults")
            #expect(try await server.events("keyword=Adele").status == 200)
            #expect(try await server.send("POST", "/_sim/faults", body: #"{"fault": "flood"}"#).status == 400)
        }
    }
}
