import Foundation
import TestSupport
import Testing

@testable import UpstreamSimulator

/// `GET /me` and its errors.
@Suite("The simulated Spotify Web API")
struct SimulatedSpotifyWebAPITests {
    private static let recorded = RecordedPayloads.spotify

    private func message(_ answer: RawResponse) -> String? { answer.json?.path("error", "message") as? String }

    @Test("An app in development mode gets only a person's identity")
    func identityOfAPerson() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let tokens = try await visitor.connect(["scope": "user-read-private user-read-email"])
            let person = try #require(try await visitor.me(tokens.access).json)
            #expect(person["id"] as? String == "demo-listener")
            #expect(person["account_id"] as? String == SpotifyPerson.all[0].accountID)
            #expect(person["display_name"] as? String == "Dana Novák")
            for gone in ["country", "email", "product", "followers"] { #expect(person[gone] == nil, "\(gone)") }
            try await visitor.order("config", #"{"mode": "legacy"}"#)
            let before = try #require(try await visitor.me(tokens.access).json)
            #expect(before["product"] as? String == "premium" && before["email"] as? String == "dana@example.org")
        }
    }

    @Test(
        "The person of an older app has the members of the recorded one",
        .enabled(if: recorded.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
    func shapeOfAPerson() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order("config", #"{"mode": "legacy"}"#)
            var simulated = Shape(try #require(try await visitor.me(try await visitor.connect().access).json))
            // The recording is from March 2026, two months before Spotify added this member.
            simulated.remove(".account_id")
            #expect(simulated.leaves == Shape(try Self.recorded.json("current_user.json")).leaves)
        }
    }

    @Test("No token, another scheme, an unknown, an expired and a revoked token have different errors")
    func refusedTokens() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let missing = try await server.send("GET", "/spotify/v1/me")
            #expect(missing.status == 401 && message(missing) == "No token provided")
            let basic = try await server.send("GET", "/spotify/v1/me", headers: ["Authorization: Basic eDp5"])
            #expect(basic.status == 400 && message(basic) == "Only valid bearer authentication supported")
            let unknown = try await visitor.me("BQnever")
            #expect(unknown.status == 401 && message(unknown) == "Invalid access token")
            #expect(unknown.json?.path("error", "status") as? Int == 401)

            let first = try await visitor.connect()
            try await visitor.order("tokens", #"{"person": "second-listener", "access": "expire"}"#)
            #expect(try await visitor.me(first.access).status == 200)
            try await visitor.order("tokens", #"{"access": "expire"}"#)
            let expired = try await visitor.me(first.access)
            #expect(expired.status == 401 && message(expired) == "The access token expired")
            try await visitor.order("tokens", #"{"access": "revoke"}"#)
            #expect(message(try await visitor.me(first.access)) == "Invalid access token")

            try await visitor.order("config", #"{"accessTokenSeconds": 0}"#)
            let short = try await visitor.connect()
            #expect(message(try await visitor.me(short.access)) == "The access token expired")
        }
    }

    @Test("A missing scope, a person who is not listed, and an unknown path are refused")
    func refusedRequests() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let narrow = try await visitor.connect(["scope": "user-top-read"])
            let scope = try await visitor.me(narrow.access)
            #expect(scope.status == 403 && message(scope) == "Insufficient client scope")

            let tokens = try await visitor.connect()
            let path = try await server.send(
                "GET", "/spotify/v1/nowhere", headers: ["Authorization: Bearer " + tokens.access])
            #expect(path.status == 404)
            try await visitor.order("config", #"{"unlisted": ["demo-listener"]}"#)
            let unlisted = try await visitor.me(tokens.access)
            #expect(unlisted.status == 403 && unlisted.headers["content-type"] == "text/plain")
            #expect(unlisted.text.contains("the user may not be registered"))
        }
    }

    @Test("An app serves the people whom its dashboard lists, at most five, while its owner has Premium")
    func peopleOfAnApp() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            func app(_ members: String) -> String {
                let address = SpotifyVisitor.redirectURI
                return #"{"clients": [{"id": "demo-spotify-client", "redirectURIs": ["\#(address)"]\#(members)}]}"#
            }
            let tokens = try await visitor.connect()
            try await visitor.order("config", app(#", "people": ["second-listener"]"#))
            let unlisted = try await visitor.me(tokens.access)
            #expect(unlisted.status == 403 && unlisted.text.contains("may not be registered"))
            try await visitor.order("config", app(#", "people": ["second-listener", "demo-listener"]"#))
            #expect(try await visitor.me(tokens.access).status == 200)
            try await visitor.order("config", app(#", "ownerHasPremium": false"#))
            let unpaid = try await visitor.me(tokens.access)
            #expect(unpaid.status == 403 && unpaid.text.contains("Active premium subscription required"))
            // Tokens are issued nevertheless.
            #expect(try await visitor.refresh(tokens.refresh).status == 200)
            let six = (1...6).map { "\"listener-\($0)\"" }.joined(separator: ", ")
            let refused = try await server.send("POST", "/_sim/spotify/config", body: app(#", "people": [\#(six)]"#))
            #expect(refused.status == 400)
        }
    }

    @Test(
        "Each requested failure has its form and occurs once, at both services",
        arguments: [
            (#"{"fault": "text403"}"#, 403, "text/plain", "may not be registered"),
            (#"{"fault": "ownerPremium403"}"#, 403, "application/json;charset=utf-8", "owner of the app"),
            (#"{"fault": "status502"}"#, 502, "text/html; charset=utf-8", "<!DOCTYPE html>"),
            (#"{"fault": "limit429"}"#, 429, "application/json;charset=utf-8", "API rate limit exceeded"),
            (#"{"fault": "text429"}"#, 429, "text/plain", "Too many requests"),
            (#"{"fault": "quotaExceeded"}"#, 429, "application/json;charset=utf-8", "QUOTA_EXCEEDED"),
        ], [nil, 1, 30, 86_400])
    func requestedFailures(fault: (rule: String, status: Int, type: String, text: String), retryAfter: Int?)
        async throws
    {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let tokens = try await visitor.connect()
            let members = retryAfter.map { ", \"retryAfter\": \($0)" } ?? ""
            let rule = fault.rule.dropLast() + members + #", "times": 2}"#
            try await visitor.order("faults", String(rule))
            for answer in [try await visitor.me(tokens.access), try await visitor.refresh(tokens.refresh)] {
                #expect(answer.status == fault.status)
                #expect(answer.headers["content-type"] == fault.type)
                #expect(answer.text.contains(fault.text), "\(answer.text)")
                if fault.rule.contains("429") {
                    #expect(answer.headers["retry-after"] == retryAfter.map(String.init))
                }
            }
            #expect(try await visitor.me(tokens.access).status == 200)
            #expect(try await visitor.refresh(tokens.refresh).status == 200, "a refused refresh changes nothing")
        }
    }

    @Test("A token can lack a permission although it is valid")
    func missingPermission() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let tokens = try await visitor.connect()
            try await visitor.order("faults", #"{"fault": "permissions401", "times": 1}"#)
            let refused = try await visitor.me(tokens.access)
            #expect(refused.status == 401 && message(refused) == "Permissions missing")
            #expect(try await visitor.me(tokens.access).status == 200)
        }
    }

    @Test("The 429 has 17 bytes of text, and faults of other upstreams are refused")
    func bareText() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order("faults", #"{"fault": "text429", "times": 1}"#)
            #expect(try await visitor.me("any").body.count == 17)
            for (path, fault) in [
                ("spotify/faults", "spike429"), ("spotify/faults", "perDay429"), ("faults", "text403"),
            ] {
                let answer = try await server.send("POST", "/_sim/" + path, body: #"{"fault": "\#(fault)"}"#)
                #expect(answer.status == 400 && answer.text.contains(fault), "\(path) \(fault)")
            }
        }
    }
}
