import Crypto
import Foundation
import JWTKit
import TestSupport
import Testing

@testable import UpstreamSimulator

/// The storefront endpoint and its two tokens.
@Suite("The simulated Apple Music")
struct SimulatedAppleMusicTests {
    private static let recorded = RecordedPayloads.apple
    private static let path = "/apple-music/v1/me/storefront"

    /// The claims of a developer token and its signature.
    private struct Token {
        var key: P256.Signing.PrivateKey
        var keyID = "DEMOKEY001"
        var team = "DEMOTEAM01"
        var issuedSecondsAgo = 0
        var lifeSeconds = 3_600

        /// The token, signed by a library that the simulator does not use.
        func text() async throws -> String {
            let keys = JWTKeyCollection()
            await keys.add(ecdsa: try ES256PrivateKey(backing: key), kid: JWKIdentifier(string: keyID))
            let issued = Int(Date().timeIntervalSince1970) - issuedSecondsAgo
            return try await keys.sign(
                DeveloperTokenClaims(iss: team, iat: issued, exp: issued + lifeSeconds),
                kid: JWKIdentifier(string: keyID))
        }
    }

    private func key(_ server: RunningSimulator) async throws -> (AppleMusicKey, Token) {
        let answer = try await server.send("GET", "/_sim/apple-music/key")
        let key = try JSONDecoder().decode(AppleMusicKey.self, from: answer.body)
        return (key, Token(key: try P256.Signing.PrivateKey(pemRepresentation: key.privateKey)))
    }

    private func storefront(
        _ server: RunningSimulator, _ token: String?, user: String? = "demo-music-user-token", path: String = Self.path
    ) async throws -> RawResponse {
        let headers =
            (token.map { ["Authorization: Bearer " + $0] } ?? []) + (user.map { ["Music-User-Token: " + $0] } ?? [])
        return try await server.send("GET", path, headers: headers)
    }

    @Test("With two valid tokens the answer is the person's storefront")
    func storefrontOfAPerson() async throws {
        try await withSimulator { server in
            let (key, token) = try await key(server)
            #expect(key.teamId == "DEMOTEAM01" && key.keyId == "DEMOKEY001")
            let answer = try await storefront(server, try await token.text(), user: key.userToken)
            #expect(answer.status == 200)
            let storefronts = answer.json?["data"] as? [[String: Any]]
            #expect(storefronts?.first?["id"] as? String == "fr")
            if Self.recorded.areAvailable {
                let recorded = try Self.recorded.json("storefront.json") as? NSDictionary
                #expect(answer.json as NSDictionary? == recorded)
            }
        }
    }

    @Test("An invalid developer token is a 401 without a body, with any user token")
    func developerToken() async throws {
        try await withSimulator { server in
            let (_, token) = try await key(server)
            var wrong: [(String, String?)] = [("none", nil), ("no JWT", "x"), ("no JSON", "a.b.c")]
            func add(_ name: String, _ change: (inout Token) -> Void) async throws {
                var changed = token
                change(&changed)
                wrong.append((name, try await changed.text()))
            }
            try await add("another key") { $0.key = P256.Signing.PrivateKey() }
            try await add("another key id") { $0.keyID = "OTHERKEY01" }
            try await add("another team") { $0.team = "OTHERTEAM1" }
            try await add("expired") { $0.issuedSecondsAgo = 3_601 }
            try await add("of the future") { $0.issuedSecondsAgo = -3_600 }
            try await add("too long") { $0.lifeSeconds = 15_777_001 }

            // A signature in DER, which most programs write by default.
            let jws = try #require(JWS(try await token.text()))
            let raw = try P256.Signing.ECDSASignature(rawRepresentation: jws.signature)
            let signed = String(decoding: jws.signed, as: UTF8.self)
            wrong.append(("DER", signed + "." + PKCE.base64URL(raw.derRepresentation)))
            let claims = JWS.make(header: ["alg": "none", "kid": "DEMOKEY001"], claims: jws.claims) { _ in Data() }
            wrong.append(("unsigned", claims))

            for (name, text) in wrong {
                for user in ["demo-music-user-token", nil] {
                    let answer = try await storefront(server, text, user: user)
                    #expect(answer.status == 401 && answer.body.isEmpty, "\(name)")
                }
            }
            var longest = token
            longest.lifeSeconds = 15_777_000
            #expect(try await storefront(server, try await longest.text()).status == 200)
        }
    }

    @Test("A user token that is missing or wrong is a 403 with a document")
    func userToken() async throws {
        try await withSimulator { server in
            let (_, token) = try await key(server)
            for user in [nil, "", "somebody-elses"] {
                let answer = try await storefront(server, try await token.text(), user: user)
                #expect(answer.status == 403)
                let errors = answer.json?["errors"] as? [[String: Any]]
                #expect(errors?.first?["code"] as? String == "40300")
                #expect(errors?.first?["status"] as? String == "403")
                if Self.recorded.areAvailable {
                    let recorded = Shape(try Self.recorded.json("error_403_music_user_token.json"))
                    #expect(Shape(try #require(answer.json)).leaves == recorded.leaves)
                }
            }
            let elsewhere = try await storefront(
                server, try await token.text(), path: "/apple-music/v1/me/library/nothing")
            #expect(elsewhere.status == 404 && elsewhere.text.contains("40400"))
        }
    }

    @Test("Tests can set keys, teams and user tokens, and impossible ones are refused")
    func changedSettings() async throws {
        try await withSimulator { server in
            let own = P256.Signing.PrivateKey()
            func configure(_ settings: [String: Any]) async throws -> RawResponse {
                let body = try JSONSerialization.data(withJSONObject: settings)
                return try await server.send(
                    "POST", "/_sim/apple-music/config", body: String(decoding: body, as: UTF8.self))
            }
            let good: [String: Any] = [
                "teamID": "ABCDE12345", "keyID": "12345ABCDE", "publicKey": own.publicKey.pemRepresentation,
                "userTokens": ["mine": "cz"],
            ]
            #expect(try await configure(good).status == 200)
            let token = Token(key: own, keyID: "12345ABCDE", team: "ABCDE12345")
            let answer = try await storefront(server, try await token.text(), user: "mine")
            #expect(answer.status == 200 && answer.text.contains("cs-CZ"))
            #expect(try await server.send("GET", "/_sim/apple-music/key").status == 404)
            for wrong in [
                ["teamID": "short"], ["publicKey": "no PEM"], ["userTokens": ["mine": "atlantis"]], ["latencyMs": -1],
            ] as [[String: Any]] {
                #expect(try await configure(wrong).status == 400, "\(wrong)")
            }
        }
    }

    @Test("Too many requests get a body without errors")
    func tooManyRequests() async throws {
        try await withSimulator { server in
            try await server.send("POST", "/_sim/apple-music/faults", body: #"{"fault": "limit429", "times": 1}"#)
            let answer = try await storefront(server, nil)
            #expect(answer.status == 429)
            #expect(answer.json as? [String: String] == ["message": "API capacity exceeded"])
            #expect(answer.headers["retry-after"] == nil)
        }
    }

    @Test(
        "Refusals of the request itself come with their codes",
        arguments: [("noSubscription", "40015"), ("invalidParameter", "40005")])
    func refusedRequests(fault: String, code: String) async throws {
        try await withSimulator { server in
            try await server.send("POST", "/_sim/apple-music/faults", body: #"{"fault": "\#(fault)", "times": 1}"#)
            let answer = try await storefront(server, nil)
            #expect(answer.status == 400 && answer.text.contains(#""code":"\#(code)""#), "\(answer.text)")
        }
    }
}
