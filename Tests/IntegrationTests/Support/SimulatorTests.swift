import AsyncHTTPClient
import Foundation
import NIOCore
import TestProcesses
import Testing

/// What other tests rely on when they steer and count the upstreams of a process of its own.
@Suite("Simulated upstreams")
struct SimulatorTests {
    private static let redirectURI = "http://127.0.0.1:9/v1/setup/spotify/callback"
    private static let verifier = "0123456789012345678901234567890123456789012"
    /// `printf %s VERIFIER | openssl dgst -sha256 -binary | basenc --base64url | tr -d =`
    private static let challenge = "_RpfHqw8pAZIomzVUE7sjRmHSM543WVdC4o-Kc4_3C0"

    private func post(_ url: String, _ fields: [String: String]) async throws -> (status: Int, body: JSON) {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        let form = fields.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
        request.body = .bytes(ByteBuffer(string: form.joined(separator: "&")))
        let response = try await APIClient.http.execute(request, timeout: .seconds(90))
        let body = try await response.body.collect(upTo: 1 << 20)
        return (Int(response.status.code), try JSONDecoder().decode(JSON.self, from: Data(body.readableBytesView)))
    }

    @Test("Spotify: consent is given and refused, tokens are counted, spoilt, ended and shown")
    func spotify() async throws {
        try await Installation.run { base in
            let simulator = try await base.startSimulator()
            let spotify = simulator.spotify
            let accounts = try #require(simulator.environment["BACKLINE_UPSTREAMS_SPOTIFY_ACCOUNTS_BASE_URL"])
            let redirect = Self.redirectURI.replacing(":", with: "%3A").replacing("/", with: "%2F")
            let page = accounts + "/authorize?client_id=\(Simulator.spotifyClientID)&response_type=code&state=s"
                + "&scope=user-read-private&code_challenge_method=S256&code_challenge=\(Self.challenge)"
                + "&redirect_uri=\(redirect)"

            let refused = try await spotify.decide("cancel", at: page)
            #expect(refused.parameters == ["error": "access_denied", "state": "s"])
            let allowed = try await spotify.decide("allow", at: page)
            #expect(allowed.url.hasPrefix(Self.redirectURI) && allowed.target.hasPrefix("/v1/setup/spotify/callback?"))
            let first = try await post(
                accounts + "/api/token",
                [
                    "grant_type": "authorization_code", "code": try #require(allowed.parameters["code"]),
                    "redirect_uri": Self.redirectURI, "client_id": Simulator.spotifyClientID,
                    "code_verifier": Self.verifier,
                ])
            #expect(first.status == 200)
            let token = try #require(first.body["refresh_token"]?.text)
            let secrets = try await spotify.spotifySecrets()
            #expect(secrets.refreshTokens == [token] && secrets.accessTokens.count == 1 && secrets.codes.isEmpty)

            func refresh() async throws -> Int {
                try await post(
                    accounts + "/api/token",
                    [
                        "grant_type": "refresh_token", "refresh_token": token, "client_id": Simulator.spotifyClientID,
                    ]
                ).status
            }
            try await spotify.configure(["refresh": "keep"])
            try await spotify.spoil(
                "limit429", endpoint: SimulatedUpstream.spotifyRefresh, times: 1, extra: ["retryAfter": 30])
            #expect(try await refresh() == 429)
            #expect(try await refresh() == 200)
            try await spotify.endTokens(refresh: "revoke")
            #expect(try await refresh() == 400)
            #expect(try await spotify.calls(SimulatedUpstream.spotifyRefresh) == 3)
            #expect(try await spotify.calls(SimulatedUpstream.spotifyExchange) == 1)
            #expect(try await spotify.counters().values.contains { $0.statuses == ["429": 1, "200": 1, "400": 1] })
            #expect(try await spotify.arrivals().map(\.status) == [303, 303, 200, 429, 200, 400])
            try await spotify.reset()
            #expect(try await spotify.calls() == 0)
        }
    }

    @Test("Apple hands out a key, and Google mints and rotates")
    func others() async throws {
        try await Installation.run { base in
            let simulator = try await base.startSimulator()
            let key = try await simulator.appleMusicKey()
            #expect(key.privateKey.hasPrefix("-----BEGIN PRIVATE KEY-----") && key.keyId.count == 10)

            let person = try #require(try await simulator.googlePeople().last)
            let before = try await simulator.mintIDToken(person: person.sub, nonce: "n", claims: ["aud": .null])
            try await simulator.rotateGoogleKeys()
            let after = try await simulator.mintIDToken(person: person.sub)
            func header(_ token: String) -> Substring? { token.split(separator: ".").first }
            #expect(before.split(separator: ".").count == 3 && header(before) != header(after))

            try await simulator.gemini.spoil("perDay429", times: 1)
            try await simulator.gemini.heal()
            #expect(try await simulator.gemini.calls() == 0)
        }
    }
}
