import Foundation
import Testing

@testable import UpstreamSimulator

/// An app and its user at a simulated Spotify.
struct SpotifyVisitor: Sendable {
    static let redirectURI = "http://127.0.0.1:8080/v1/setup/spotify/callback"
    static let verifier = "a-verifier.of_exactly~the-length_that-is.the~least"
    /// The challenge, computed with another implementation: `printf %s VERIFIER | openssl dgst -sha256 -binary | basenc
    /// --base64url`.
    static let challenge = "yUs9GH2GHR7vu6mNszaDgS07D4pYw55qKfV6SdLHyho"

    let server: RunningSimulator

    /// The path of `/authorize` with changed parameters; `nil` removes one.
    static func authorization(_ changes: [String: String?] = [:]) -> String {
        let asked: [String: String?] = [
            "client_id": "demo-spotify-client", "response_type": "code", "redirect_uri": redirectURI,
            "scope": "user-read-private user-top-read", "state": "a state/with signs",
            "code_challenge_method": "S256", "code_challenge": challenge,
        ]
        return "/spotify-accounts/authorize?" + form(asked.merging(changes) { _, new in new })
    }

    static func form(_ fields: [String: String?]) -> String {
        fields.compactMap { name, value in
            value.map { "\(name)=\($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
        }.sorted().joined(separator: "&")
    }

    /// Presses a button of the consent page; returns the parameters of the redirect to the app.
    func decide(_ decision: String, _ changes: [String: String?] = [:]) async throws -> [String: String] {
        let answer = try await server.send(
            "POST", Self.authorization(changes), headers: ["Content-Type: application/x-www-form-urlencoded"],
            body: "decision=" + decision)
        try #require(answer.status == 303, "\(answer.text)")
        let location = try #require(answer.headers["location"].flatMap(URLComponents.init(string:)))
        let items = (location.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        return Dictionary(uniqueKeysWithValues: items)
    }

    /// Requests tokens.
    func token(_ fields: [String: String?], headers: [String] = []) async throws -> RawResponse {
        try await server.send(
            "POST", "/spotify-accounts/api/token",
            headers: ["Content-Type: application/x-www-form-urlencoded"] + headers, body: Self.form(fields))
    }

    static func exchange(_ code: String) -> [String: String?] {
        [
            "grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI,
            "client_id": "demo-spotify-client", "code_verifier": verifier,
        ]
    }

    func refresh(_ token: String) async throws -> RawResponse {
        try await self.token(
            ["grant_type": "refresh_token", "refresh_token": token, "client_id": "demo-spotify-client"])
    }

    /// Consents and exchanges the code.
    func connect(_ changes: [String: String?] = [:]) async throws -> (access: String, refresh: String) {
        let code = try #require(try await decide("allow", changes)["code"])
        let answer = try await token(Self.exchange(code))
        return (
            try #require(answer.json?["access_token"] as? String),
            try #require(answer.json?["refresh_token"] as? String)
        )
    }

    func me(_ token: String) async throws -> RawResponse {
        try await server.send("GET", "/spotify/v1/me", headers: ["Authorization: Bearer " + token])
    }

    /// Sends a request to a control route, which must accept it.
    @discardableResult
    func order(_ route: String, _ body: String) async throws -> RawResponse {
        let answer = try await server.send("POST", "/_sim/spotify/" + route, body: body)
        try #require(answer.status == 200, "\(answer.text)")
        return answer
    }
}
