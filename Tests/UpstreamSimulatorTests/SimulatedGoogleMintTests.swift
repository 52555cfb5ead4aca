import Foundation
import JWTKit
import TestSupport
import Testing

@testable import UpstreamSimulator

/// ID tokens with defects. Each must have the requested defect and no other.
@Suite("Google's ID tokens")
struct SimulatedGoogleMintTests {
    private func mint(_ server: RunningSimulator, _ order: String = "{}") async throws -> String {
        let answer = try await server.send("POST", "/_sim/google/mint", body: order)
        return try #require(answer.json?["idToken"] as? String, "\(answer.text)")
    }

    /// Whether a token's signature is valid with the published keys, whatever its claims.
    private func isSigned(_ token: String, _ server: RunningSimulator) async throws -> Bool {
        struct Anything: JWTPayload {
            func verify(using algorithm: some JWTAlgorithm) {}
        }
        let keys = try await JWTKeyCollection().add(jwksJSON: server.send("GET", "/google/oauth2/v3/certs").text)
        return (try? await keys.verify(token, as: Anything.self)) != nil
    }

    @Test("Claims are replaced and removed, and the signature covers them")
    func replacedClaims() async throws {
        try await withSimulator { server in
            let usual = try #require(JWS(try await mint(server))?.claims)
            #expect(usual["iss"]?.string == "https://accounts.google.com")
            for name in ["aud", "azp"] { #expect(usual[name]?.string == SimulatedGoogleTests.client, "\(name)") }
            #expect(usual["nonce"] == nil && usual["email_verified"]?.bool == true)
            // A token signs in once, so two tokens of the same second must differ.
            let again = try #require(JWS(try await mint(server))?.claims)
            #expect(again["jti"]?.string != usual["jti"]?.string && usual["jti"]?.string != nil)

            let token = try await mint(
                server,
                #"{"nonce": "n", "audience": "ios", "claims": {"iss": "accounts.google.com", "azp": null,"#
                    + #" "email_verified": "true", "sub": "7"}}"#)
            let changed = try #require(JWS(token)?.claims)
            #expect(changed["iss"]?.string == "accounts.google.com" && changed["azp"] == nil)
            #expect(changed["aud"]?.string == "ios" && changed["nonce"]?.string == "n")
            #expect(changed["email_verified"]?.string == "true" && changed["sub"]?.string == "7")
            #expect(try await isSigned(token, server))
        }
    }

    @Test("Tokens may be issued in the past and in the future")
    func timesOfTokens() async throws {
        try await withSimulator { server in
            let now = Int(Date().timeIntervalSince1970)
            func times(_ order: String) async throws -> (issued: Int, expires: Int) {
                let claims = try #require(JWS(try await mint(server, order))?.claims)
                return (try #require(claims["iat"]?.integer), try #require(claims["exp"]?.integer))
            }
            let usual = try await times("{}")
            #expect(usual.issued >= now && usual.expires == usual.issued + 3_600)
            let past = try await times(#"{"issuedSecondsAgo": 4000}"#)
            #expect(past.issued < now - 3_900 && past.expires == past.issued + 3_600)
            let future = try await times(#"{"issuedSecondsAgo": -600, "lifeSeconds": 60}"#)
            #expect(future.issued >= now + 600 && future.expires == future.issued + 60)
        }
    }

    @Test("Tokens may be unsigned, signed with the public key as a secret or a foreign key, or have an unknown key id")
    func wrongSignatures() async throws {
        try await withSimulator { server in
            let published = try await server.send("GET", "/google/oauth2/v3/certs").text
            let good = try #require(JWS(try await mint(server)))
            let kid = try #require(good.header["kid"]?.string)
            #expect(good.header["alg"]?.string == "RS256" && published.contains(kid))

            let unsigned = try await mint(server, #"{"algorithm": "none"}"#)
            #expect(JWS(unsigned)?.header["alg"]?.string == "none" && unsigned.hasSuffix("."))
            let symmetric = try #require(JWS(try await mint(server, #"{"algorithm": "HS256"}"#)))
            #expect(symmetric.header["alg"]?.string == "HS256" && symmetric.header["kid"]?.string == kid)
            #expect(symmetric.signature.count == 32)

            let forged = try await mint(server, #"{"key": "forged"}"#)
            #expect(JWS(forged)?.header["kid"]?.string == kid)
            #expect(try await !isSigned(forged, server))
            let unknown = try await mint(server, #"{"key": "unknown"}"#)
            let stranger = try #require(JWS(unknown)?.header["kid"]?.string)
            #expect(!published.contains(stranger))
            #expect(try await !isSigned(unknown, server))
        }
    }

    @Test("An invalid order is refused")
    func invalidOrders() async throws {
        try await withSimulator { server in
            for order in [#"{"algorithm": "ES256"}"#, #"{"person": "nobody"}"#, "no JSON"] {
                let answer = try await server.send("POST", "/_sim/google/mint", body: order)
                #expect(answer.status == 400, "\(order)")
            }
        }
    }
}
