import Foundation
import Testing

@testable import UpstreamSimulator

/// The faults that all upstreams have, at Gemini's list and Google's discovery document.
@Suite("Common faults over HTTP")
struct CommonFaultTests {
    private static let places = [
        ("gemini", "/gemini/v1beta/models?key=demo-gemini-key"),
        ("google", "/google/.well-known/openid-configuration"),
    ]

    /// Adds one fault to each upstream; returns the next answers.
    private func strike(
        _ rule: String, _ check: @escaping @Sendable (RawResponse) throws -> Void
    ) async throws {
        try await withSimulator { server in
            for (name, path) in Self.places {
                let ordered = try await server.send("POST", "/_sim/\(name)/faults", body: rule)
                try #require(ordered.status == 200, "\(ordered.text)")
                try check(try await server.send("GET", path))
                let after = try await server.send("GET", path)
                #expect(after.status == 200 && after.isComplete && after.json != nil)
                let counters = try await server.send("GET", "/_sim/\(name)/counters").json
                let endpoint = counters?.values.first as? [String: Any]
                #expect(endpoint?["arrivals"] as? Int == 2 && endpoint?["faults"] as? Int == 1)
            }
        }
    }

    @Test(
        "A web page replaces the JSON answer",
        arguments: [("html", 200), ("status500", 500), ("status502", 502), ("status504", 504)])
    func webPages(fault: String, status: Int) async throws {
        try await strike(#"{"fault": "\#(fault)", "times": 1}"#) { response in
            #expect(response.status == status && response.text.hasPrefix("<!DOCTYPE html>"))
            #expect(response.headers["content-type"] == "text/html; charset=utf-8")
        }
    }

    @Test("A 503 page has Retry-After")
    func retryAfter() async throws {
        try await strike(#"{"fault": "status503", "times": 1, "retryAfter": 86400}"#) { response in
            #expect(response.status == 503 && response.headers["retry-after"] == "86400")
        }
    }

    @Test("A 503 may have no body at all")
    func emptyBody() async throws {
        try await strike(#"{"fault": "empty503", "times": 1, "retryAfter": 2}"#) { response in
            #expect(response.status == 503 && response.isComplete && response.body.isEmpty)
            #expect(response.headers["retry-after"] == "2" && response.headers["content-type"] == nil)
        }
    }

    @Test("An answer may be missing, cut, incomplete JSON, or complete on a connection that then closes")
    func damagedAnswers() async throws {
        for fault in ["drop", "loseAnswer"] {
            try await strike(#"{"fault": "\#(fault)", "times": 1}"#) { #expect($0.status == 0) }
        }
        try await strike(#"{"fault": "done500", "times": 1}"#) { #expect($0.status == 500 && $0.isComplete) }
        try await strike(#"{"fault": "truncated", "times": 1}"#) { response in
            #expect(response.status == 200 && !response.isComplete && !response.body.isEmpty)
        }
        try await strike(#"{"fault": "truncatedJSON", "times": 1}"#) { response in
            #expect(response.status == 200 && response.isComplete && response.json == nil && !response.body.isEmpty)
        }
        try await strike(#"{"fault": "closeAfterResponse", "times": 1}"#) { response in
            #expect(response.status == 200 && response.isComplete && response.json != nil)
        }
    }

    @Test("Answers are delayed by a fault or a setting, and never sent early")
    func delayedAnswers() async throws {
        try await withSimulator { server in
            let (name, path) = Self.places[0]
            func seconds() async throws -> Double {
                let start = ContinuousClock.now
                #expect(try await server.send("GET", path).status == 200)
                return (ContinuousClock.now - start) / .seconds(1)
            }
            try await server.send("POST", "/_sim/\(name)/faults", body: #"{"fault": "slow", "ms": 150, "times": 1}"#)
            #expect(try await seconds() >= 0.15)
            try await server.send("POST", "/_sim/\(name)/config", body: #"{"latencyMs": 120}"#)
            #expect(try await seconds() >= 0.12)
            #expect(try await server.send("GET", "/_sim/\(name)/config").json?["latencyMs"] as? Int == 120)
            #expect(try await server.send("POST", "/_sim/\(name)/config", body: #"{"latencyMs": -1}"#).status == 400)
        }
    }
}
