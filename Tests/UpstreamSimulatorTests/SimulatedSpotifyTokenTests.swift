import Foundation
import TestSupport
import Testing

@testable import UpstreamSimulator

/// Codes and tokens over HTTP.
@Suite("The simulated Spotify's tokens")
struct SimulatedSpotifyTokenTests {
    private func check(
        _ answer: RawResponse, _ error: String, _ description: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == 400, sourceLocation: sourceLocation)
        #expect(
            answer.json as? [String: String] == ["error": error, "error_description": description],
            "\(answer.text)", sourceLocation: sourceLocation)
    }

    @Test("A code is exchanged for an access token, a refresh token and the granted scopes")
    func exchangedCode() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order(
                "config", #"{"accessTokenSeconds": 120, "withheldScopes": ["user-top-read"]}"#)
            let code = try #require(try await visitor.decide("allow")["code"])
            let answer = try await visitor.token(SpotifyVisitor.exchange(code))
            #expect(answer.status == 200)
            #expect(answer.json?["token_type"] as? String == "Bearer")
            #expect(answer.json?["expires_in"] as? Int == 120)
            #expect(answer.json?["scope"] as? String == "user-read-private")
            #expect(answer.json?["refresh_token"] is String)
        }
    }

    @Test(
        "A missing or wrong parameter of an exchange is refused with the flat error form",
        arguments: [
            (["client_id": nil], "invalid_client", "Invalid client"),
            (["client_id": "another"], "invalid_client", "Invalid client"),
            (["code_verifier": nil], "invalid_request", "code_verifier required"),
            (["code_verifier": "short"], "invalid_request", "code_verifier must be 43 to 128 characters long"),
            (
                ["code_verifier": String(repeating: "v", count: 43)], "invalid_grant", "code_verifier was incorrect"
            ),
            (["code": "AQnever"], "invalid_grant", "Invalid authorization code"),
            (["code": nil], "invalid_request", "code must be supplied"),
            (["redirect_uri": nil], "invalid_request", "redirect_uri must be supplied"),
            (
                ["redirect_uri": "http://127.0.0.1:8081/v1/setup/spotify/callback"], "invalid_grant",
                "Invalid redirect URI"
            ),
            (["grant_type": nil], "unsupported_grant_type", "grant_type parameter is missing"),
            (
                ["grant_type": "password"], "unsupported_grant_type",
                "grant_type must be client_credentials, authorization_code or refresh_token"
            ),
        ] as [([String: String?], String, String)])
    func wrongExchanges(changes: [String: String?], error: String, description: String) async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let code = try #require(try await visitor.decide("allow")["code"])
            let fields = SpotifyVisitor.exchange(code).merging(changes) { _, new in new }
            check(try await visitor.token(fields), error, description)
        }
    }

    @Test("JSON is not a form, and an app without a secret sends no Authorization")
    func refusedForms() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let code = try #require(try await visitor.decide("allow")["code"])
            let fields = SpotifyVisitor.exchange(code)
            let json = try JSONEncoder().encode(fields)
            let answer = try await server.send(
                "POST", "/spotify-accounts/api/token", headers: ["Content-Type: application/json"],
                body: String(decoding: json, as: UTF8.self))
            check(answer, "unsupported_grant_type", "grant_type parameter is missing")
            let header = "Authorization: Basic ZGVtbzpzZWNyZXQ="
            check(try await visitor.token(fields, headers: [header]), "invalid_client", "Invalid client")
            #expect(try await visitor.token(fields).status == 200, "neither has used up the code")
        }
    }

    @Test("A code is valid once and briefly, and even a wrong verifier uses it up")
    func codeIsUsedOnce() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let code = try #require(try await visitor.decide("allow")["code"])
            #expect(try await visitor.token(SpotifyVisitor.exchange(code)).status == 200)
            check(
                try await visitor.token(SpotifyVisitor.exchange(code)), "invalid_grant", "Invalid authorization code")

            let guessed = try #require(try await visitor.decide("allow")["code"])
            var fields = SpotifyVisitor.exchange(guessed)
            fields["code_verifier"] = String(repeating: "v", count: 43)
            #expect(try await visitor.token(fields).status == 400)
            #expect(try await visitor.token(SpotifyVisitor.exchange(guessed)).status == 400)

            try await visitor.order("config", #"{"codeSeconds": 0}"#)
            let late = try #require(try await visitor.decide("allow")["code"])
            check(
                try await visitor.token(SpotifyVisitor.exchange(late)), "invalid_grant", "Invalid authorization code")
        }
    }

    @Test("With rotate each refresh returns a new refresh token, and the old one ends at once")
    func rotatedTokens() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let first = try await visitor.connect()
            let answer = try await visitor.refresh(first.refresh)
            let second = try #require(answer.json?["refresh_token"] as? String)
            #expect(answer.status == 200 && second != first.refresh)
            check(try await visitor.refresh(first.refresh), "invalid_grant", "Refresh token revoked")
            #expect(try await visitor.refresh(second).status == 200)
            #expect(try await visitor.me(first.access).status == 200, "access tokens remain valid")
        }
    }

    @Test("With keep a refresh returns no refresh token, and the old one stays valid")
    func keptTokens() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order("config", #"{"refresh": "keep"}"#)
            let tokens = try await visitor.connect()
            for _ in 0..<2 {
                let answer = try await visitor.refresh(tokens.refresh)
                #expect(answer.status == 200)
                #expect(answer.json?["refresh_token"] == nil)
                #expect(try await visitor.me(try #require(answer.json?["access_token"] as? String)).status == 200)
            }
        }
    }

    @Test("Refresh tokens end six months after the consent, refreshed or not, or when the person revokes it")
    func endOfRefreshTokens() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order("config", #"{"refresh": "keep"}"#)
            let tokens = try await visitor.connect()
            try await visitor.order("tokens", #"{"days": 180}"#)
            #expect(try await visitor.refresh(tokens.refresh).status == 200)
            try await visitor.order("tokens", #"{"days": 5}"#)
            check(try await visitor.refresh(tokens.refresh), "invalid_grant", "Refresh token expired")

            let others = try await visitor.connect()
            try await visitor.order("tokens", #"{"person": "second-listener", "refresh": "revoke"}"#)
            #expect(try await visitor.refresh(others.refresh).status == 200)
            try await visitor.order("tokens", #"{"person": "demo-listener", "refresh": "revoke"}"#)
            check(try await visitor.refresh(others.refresh), "invalid_grant", "Refresh token revoked")
            check(try await visitor.refresh("AQnever"), "invalid_grant", "Invalid refresh token")

            let more = try await visitor.connect()
            for (mode, text) in [("expired", "Refresh token expired"), ("revoked", "Refresh token revoked")] {
                try await visitor.order("config", #"{"refresh": "\#(mode)"}"#)
                check(try await visitor.refresh(more.refresh), "invalid_grant", text)
            }
        }
    }

    @Test("A refresh whose answer is lost ends the old refresh token")
    func lostAnswer() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let tokens = try await visitor.connect()
            try await visitor.order(
                "faults", #"{"fault": "loseAnswer", "times": 1, "match": {"endpoint": "refresh_token"}}"#)
            #expect(try await visitor.refresh(tokens.refresh).status == 0)
            check(try await visitor.refresh(tokens.refresh), "invalid_grant", "Refresh token revoked")

            let others = try await visitor.connect()
            try await visitor.order("faults", #"{"fault": "drop", "times": 1}"#)
            #expect(try await visitor.refresh(others.refresh).status == 0)
            #expect(try await visitor.refresh(others.refresh).status == 200, "a dropped one has done nothing")
        }
    }

    @Test("Each kind of call is counted separately, and no log contains a secret")
    func countedCalls() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let tokens = try await visitor.connect()
            _ = try await visitor.refresh(tokens.refresh)
            _ = try await visitor.refresh(tokens.refresh)
            let counters = try await server.send("GET", "/_sim/spotify/counters").json
            let refreshes = counters?.path("POST /spotify-accounts/api/token refresh_token") as? [String: Any]
            #expect(refreshes?["arrivals"] as? Int == 2)
            #expect(refreshes?["statuses"] as? [String: Int] == ["200": 1, "400": 1])
            #expect(
                counters?.path("POST /spotify-accounts/api/token authorization_code", "arrivals") as? Int == 1)
            let log = try await server.send("GET", "/_sim/spotify/arrivals").text
            let secrets = try await server.send("GET", "/_sim/spotify/tokens")
            #expect(secrets.text.contains(tokens.access) && secrets.text.contains(tokens.refresh))
            #expect(!log.contains(tokens.access) && !log.contains(tokens.refresh) && !log.contains("code="))
            try await server.send("POST", "/_sim/spotify/reset")
            #expect(try await server.send("GET", "/_sim/spotify/counters").text == "{}")
            #expect(try await visitor.me(tokens.access).status == 401)
        }
    }

    private static let recorded = RecordedPayloads.spotify

    @Test(
        "Answers have the members of the documented ones",
        .enabled(if: recorded.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
    func shapesOfAnswers() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let code = try #require(try await visitor.decide("allow")["code"])
            let first = try #require(try await visitor.token(SpotifyVisitor.exchange(code)).json)
            #expect(Shape(first).leaves == Shape(try Self.recorded.json("token_AuthorizationCode.json")).leaves)
            let token = try #require(first["refresh_token"] as? String)
            let rotated = try #require(try await visitor.refresh(token).json)
            #expect(
                Shape(rotated).leaves == Shape(try Self.recorded.json("token_AuthorizationCodePKCERefresh.json")).leaves
            )
            try await visitor.order("config", #"{"refresh": "keep"}"#)
            let kept = try #require(try await visitor.refresh(rotated["refresh_token"] as? String ?? "").json)
            #expect(Shape(kept).leaves == Shape(try Self.recorded.json("token_AuthorizationCodeRefresh.json")).leaves)
            let refused = try await visitor.token(["grant_type": "refresh_token", "refresh_token": "x"])
            let recorded = try Self.recorded.json("token_auth-invalid-client.json") as? [String: String]
            #expect(refused.json as? [String: String] == recorded)
        }
    }
}
