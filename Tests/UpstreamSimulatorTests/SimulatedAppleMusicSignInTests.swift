import Crypto
import Foundation
import Testing

@testable import UpstreamSimulator

/// The stand-in for MusicKit on the Web. The page tests run its script in a browser.
@Suite("Signing in at the simulated Apple Music")
struct SimulatedAppleMusicSignInTests {
    private static let origin = "http://127.0.0.1:8080"
    private static let form = "Content-Type: application/x-www-form-urlencoded"

    /// A developer token of the simulator's key, for the pages of a site.
    private func token(_ server: RunningSimulator, origins: [String]? = [Self.origin]) async throws -> String {
        let answer = try await server.send("GET", "/_sim/apple-music/key")
        let key = try JSONDecoder().decode(AppleMusicKey.self, from: answer.body)
        let privateKey = try P256.Signing.PrivateKey(pemRepresentation: key.privateKey)
        let now = Int(Date().timeIntervalSince1970)
        var claims: [String: JSONValue] = [
            "iss": .string(key.teamId), "iat": .integer(now - 60), "exp": .integer(now + 600),
        ]
        claims["origin"] = origins.map { .array($0.map { .string($0) }) }
        return try JWS.make(header: ["alg": "ES256", "kid": .string(key.keyId)], claims: claims) {
            try privateKey.signature(for: $0).rawRepresentation
        }
    }

    private func authorize(
        _ server: RunningSimulator, _ token: String, referrer: String?, decision: String? = nil
    ) async throws -> RawResponse {
        let headers = referrer.map { ["Referer: \($0)/"] } ?? []
        let path = "/apple-music-web/authorize?app=Backline&token=\(token)"
        guard let decision else { return try await server.send("GET", path, headers: headers) }
        return try await server.send("POST", path, headers: headers + [Self.form], body: "decision=\(decision)")
    }

    private func storefront(
        _ server: RunningSimulator, _ token: String, user: String, origin: String? = Self.origin
    ) async throws -> Int {
        try await server.send(
            "GET", "/apple-music/v1/me/storefront",
            headers: ["Authorization: Bearer \(token)", "Music-User-Token: \(user)"]
                + (origin.map { ["Origin: \($0)"] } ?? [])
        ).status
    }

    @Test("A consent makes a user token for the requesting page, and logging out ends it")
    func consentMakesAToken() async throws {
        try await withSimulator { server in
            let script = try await server.send("GET", "/apple-music-web/musickit.js")
            #expect(script.status == 200 && script.text.contains("window.MusicKit"))
            #expect(script.text.contains("http://127.0.0.1:\(server.port)"))

            let token = try await token(server)
            let page = try await authorize(server, token, referrer: Self.origin)
            #expect(page.status == 200 && page.text.contains("Give Backline access to Apple Music"))
            let done = try await authorize(server, token, referrer: Self.origin, decision: "allow")
            let answer = try #require(done.text.firstMatch(of: /token: "([^"]+)"/))
            #expect(done.text.contains("\"\(Self.origin)\""))
            let user = String(answer.1)
            #expect(try await storefront(server, token, user: user) == 200)
            // A token for pages is only for those of its site.
            for other in ["http://127.0.0.1:8081", nil] {
                #expect(try await storefront(server, token, user: user, origin: other) == 401)
            }
            #expect(try await server.send("POST", "/apple-music-web/logout", body: user).status == 200)
            #expect(try await storefront(server, token, user: user) == 403)

            let cancelled = try await authorize(server, token, referrer: Self.origin, decision: "cancel")
            #expect(cancelled.status == 200 && !cancelled.text.contains("token:"))
        }
    }

    @Test("The window refuses a token that is not meant for pages, and pages that the token does not name")
    func refusedPages() async throws {
        try await withSimulator { server in
            let good = try await token(server)
            let cases = [
                ("no token", "x", Self.origin, "wrong, or too old"),
                ("a server's token", try await token(server, origins: nil), Self.origin, "names no origin"),
                ("another site", good, "http://evil.test", "not opened by a page"),
                ("no referrer", good, nil, "not opened by a page"),
            ]
            for (name, token, referrer, words) in cases {
                for decision in [nil, "allow"] {
                    let answer = try await authorize(server, token, referrer: referrer, decision: decision)
                    #expect(answer.status == 400 && answer.text.contains(words), "\(name)")
                }
            }
        }
    }
}
