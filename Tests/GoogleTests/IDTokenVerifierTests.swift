import CryptoExtras
import Foundation
import JWTKit
import Model
import Testing

@testable import Google

@Suite("ID tokens")
struct IDTokenVerifierTests {
    private static let clientID = "1-web.apps.googleusercontent.com"
    private static let otherClientID = "1-ios.apps.googleusercontent.com"
    private static let now = Timestamp(microseconds: 1_790_000_000_000_000)
    private static let signing = SigningKey(id: "k1")
    private static let strange = SigningKey(id: "k1")

    private let verifier = IDTokenVerifier(
        clientIDs: [clientID, otherClientID], keys: GoogleKeys { .init(keys: ["k1": signing.jwk], maximumAge: nil) })

    /// Claims in Google's form that are valid for an hour from ``now``.
    private static func claims(_ changes: [String: any Sendable] = [:]) -> [String: any Sendable] {
        let seconds = now.microseconds / 1_000_000
        let claims: [String: any Sendable] = [
            "iss": "https://accounts.google.com", "aud": clientID, "azp": clientID, "sub": "1104", "iat": seconds,
            "exp": seconds + 3_600, "email": "ada@example.com", "email_verified": true, "name": "Ada",
            "picture": "https://example.com/a.png",
        ]
        return claims.merging(changes) { $1 }
    }

    private func verify(_ token: String, nonce: String? = nil) async throws -> GoogleIdentity {
        try await verifier.verify(Secret(token), nonce: nonce, now: Self.now)
    }

    @Test("A valid token identifies its person, for each configured client and both forms of the issuer")
    func validToken() async throws {
        let expected = GoogleIdentity(
            subject: "1104", email: "ada@example.com", name: "Ada", pictureURL: "https://example.com/a.png")
        #expect(try await verify(Self.signing.token(Self.claims())) == expected)
        let changes: [[String: any Sendable]] = [
            ["iss": "accounts.google.com"], ["aud": Self.otherClientID], ["aud": [Self.clientID]],
            ["email_verified": "true"],
        ]
        for change in changes {
            #expect(try await verify(Self.signing.token(Self.claims(change))) == expected)
        }
    }

    @Test("An unverified address is left out, and so is a picture without TLS")
    func unverifiedDetails() async throws {
        for value: any Sendable in [false, "false", 1] {
            let identity = try await verify(
                Self.signing.token(Self.claims(["email_verified": value, "picture": "http://example.com/a.png"])))
            #expect(identity.email == nil && identity.pictureURL == nil && identity.subject == "1104")
        }
    }

    @Test(
        "Each wrong claim has its error",
        arguments: [
            (["iss": "https://accounts.google.com.example.org"], IDTokenError.wrongIssuer),
            (["aud": "somebody-else"], .wrongAudience), (["aud": [clientID, "somebody-else"]], .wrongAudience),
            (["aud": [String]()], .wrongAudience), (["azp": "somebody-else"], .wrongAudience),
            (["exp": now.microseconds / 1_000_000 - 60], .expired),
            (["iat": now.microseconds / 1_000_000 + 61], .notYetValid), (["sub": ""], .malformed),
            (["sub": String(repeating: "1", count: 256)], .malformed), (["sub": 7], .malformed),
        ] as [([String: any Sendable], IDTokenError)])
    func wrongClaim(change: [String: any Sendable], error: IDTokenError) async throws {
        let token = Self.signing.token(Self.claims(change))
        await #expect(throws: error) { try await verify(token) }
    }

    @Test("Clocks may differ by a minute")
    func differenceOfClocks() async throws {
        let seconds = Self.now.microseconds / 1_000_000
        _ = try await verify(Self.signing.token(Self.claims(["exp": seconds - 59, "iat": seconds + 60])))
    }

    @Test("A nonce that was sent must be returned")
    func returnedNonce() async throws {
        let token = Self.signing.token(Self.claims(["nonce": "n1"]))
        _ = try await verify(token, nonce: "n1")
        await #expect(throws: IDTokenError.wrongNonce) { try await verify(token, nonce: "n2") }
        await #expect(throws: IDTokenError.wrongNonce) {
            try await verify(Self.signing.token(Self.claims()), nonce: "n1")
        }
    }

    @Test("The token does not choose its algorithm")
    func refusedAlgorithms() async throws {
        let claims = Self.claims()
        for algorithm in ["none", "None", "HS256", "RS512", "PS256", "ES256", ""] {
            let token = Self.signing.token(claims, header: ["alg": algorithm, "kid": "k1"])
            await #expect(throws: IDTokenError.wrongAlgorithm) { try await verify(token) }
        }
        let unsigned = Self.signing.token(claims, header: ["alg": "none"]).split(separator: ".").prefix(2)
        await #expect(throws: IDTokenError.wrongAlgorithm) { try await verify(unsigned.joined(separator: ".") + ".") }
    }

    @Test("A foreign signature, changed claims and an unknown key are refused")
    func wrongSignatures() async throws {
        await #expect(throws: IDTokenError.wrongSignature) {
            try await verify(Self.strange.token(Self.claims()))
        }
        let parts = Self.signing.token(Self.claims()).split(separator: ".")
        let changed = Self.signing.token(Self.claims(["sub": "2"])).split(separator: ".")
        await #expect(throws: IDTokenError.wrongSignature) {
            try await verify("\(parts[0]).\(changed[1]).\(parts[2])")
        }
        for header in [["alg": "RS256", "kid": "k2"], ["alg": "RS256"]] {
            await #expect(throws: IDTokenError.unknownKey) {
                try await verify(Self.signing.token(Self.claims(), header: header))
            }
        }
    }

    @Test("Text that is not a token is refused, and so is a token that is too large")
    func malformedTokens() async throws {
        for text in ["", "a", "a.b", "a.b.c", "....", "e30.e30.e30.e30", "e30.e30.", "\u{0}.\u{0}.\u{0}"] {
            await #expect(throws: IDTokenError.malformed) { try await verify(text) }
        }
        let large = Self.signing.token(Self.claims(["name": String(repeating: "x", count: 9_000)]))
        await #expect(throws: IDTokenError.tooLarge) { try await verify(large) }
    }
}

/// An RSA key that signs as Google does.
struct SigningKey {
    let id: String
    let jwk: JWK
    private let key: _RSA.Signing.PrivateKey

    init(id: String) {
        self.id = id
        // Generating fails only for sizes that are not allowed.
        key = try! _RSA.Signing.PrivateKey(keySize: .bits2048)
        // The numbers of a new public key can always be read.
        let numbers = try! key.publicKey.getKeyPrimitives()
        jwk = .rsa(
            .rs256, identifier: JWKIdentifier(string: id), modulus: numbers.modulus.base64URL,
            exponent: numbers.publicExponent.base64URL)
    }

    func token(_ claims: [String: any Sendable], header: [String: String]? = nil) -> String {
        // Claims are always JSON, and signing fails only without memory.
        let parts = [header ?? ["alg": "RS256", "kid": id, "typ": "JWT"], claims]
            .map { try! JSONSerialization.data(withJSONObject: $0).base64URL }
        let signed = parts.joined(separator: ".")
        let signature = try! key.signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5)
        return signed + "." + signature.rawRepresentation.base64URL
    }
}

extension Data {
    fileprivate var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
