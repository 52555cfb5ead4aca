import Foundation
import JWTKit
import Testing

@testable import UpstreamSimulator

/// Discovery, keys, the consent page and the token endpoint.
@Suite("The simulated Google")
struct SimulatedGoogleTests {
    static let client = "demo-web.apps.googleusercontent.com"
    private static let redirectURI = "http://127.0.0.1:8080/v1/auth/google/callback"
    private static let page = "/google/o/oauth2/v2/auth?"

    private func authorization(_ changes: [String: String?] = [:]) -> String {
        let asked: [String: String?] = [
            "client_id": Self.client, "response_type": "code", "redirect_uri": Self.redirectURI,
            "scope": "openid email profile", "state": "s/1", "nonce": "a nonce", "code_challenge_method": "S256",
            "code_challenge": SpotifyVisitor.challenge,
        ]
        return Self.page + SpotifyVisitor.form(asked.merging(changes) { _, new in new })
    }

    private func decide(
        _ server: RunningSimulator, _ decision: String, _ changes: [String: String?] = [:]
    ) async throws -> [String: String] {
        let answer = try await server.send(
            "POST", authorization(changes), headers: ["Content-Type: application/x-www-form-urlencoded"],
            body: "decision=" + decision)
        try #require(answer.status == 303, "\(answer.text)")
        let location = try #require(answer.headers["location"].flatMap(URLComponents.init(string:)))
        return Dictionary(uniqueKeysWithValues: (location.queryItems ?? []).map { ($0.name, $0.value ?? "") })
    }

    private func exchange(
        _ server: RunningSimulator, _ code: String, _ changes: [String: String?] = [:], headers: [String] = []
    ) async throws -> RawResponse {
        let fields: [String: String?] = [
            "grant_type": "authorization_code", "code": code, "client_id": Self.client,
            "client_secret": "demo-google-secret", "redirect_uri": Self.redirectURI,
            "code_verifier": SpotifyVisitor.verifier,
        ]
        return try await server.send(
            "POST", "/google/token", headers: ["Content-Type: application/x-www-form-urlencoded"] + headers,
            body: SpotifyVisitor.form(fields.merging(changes) { _, new in new }))
    }

    @Test("The discovery document leads back to the simulator, and names Google as the issuer")
    func discoveryDocument() async throws {
        try await withSimulator { server in
            let answer = try await server.send("GET", "/google/.well-known/openid-configuration")
            #expect(answer.status == 200 && answer.headers["cache-control"]?.contains("max-age=") == true)
            let document = try #require(answer.json)
            #expect(document["issuer"] as? String == "https://accounts.google.com")
            for name in ["authorization_endpoint", "token_endpoint", "jwks_uri"] {
                let address = try #require(document[name] as? String)
                #expect(address.hasPrefix("http://127.0.0.1"), "\(address)")
                let path = try #require(URLComponents(string: address)?.path)
                #expect(try await server.send(name == "token_endpoint" ? "POST" : "GET", path).status != 404)
            }
        }
    }

    @Test("A sign-in's ID token contains the nonce, and an independent library accepts it")
    func signIn() async throws {
        try await withSimulator { server in
            let page = try await server.send("GET", authorization())
            #expect(page.status == 200 && page.text.contains(">Cancel</button>"))
            #expect(page.text.contains("Continue as Dana Novák (dana@example.org)") && !page.text.contains("<script"))

            let person = GooglePerson.all[1]
            let sentBack = try await decide(server, person.subject)
            #expect(sentBack["state"] == "s/1")
            let answer = try await exchange(server, try #require(sentBack["code"]))
            #expect(answer.status == 200 && answer.json?["access_token"] is String, "\(answer.text)")
            let token = try #require(answer.json?["id_token"] as? String)

            let keys = try await JWTKeyCollection().add(
                jwksJSON: server.send("GET", "/google/oauth2/v3/certs").text)
            let identity = try await keys.verify(token, as: GoogleIdentityToken.self)
            #expect(identity.subject.value == person.subject && identity.email == "lee@example.org")
            #expect(identity.emailVerified?.value == true && identity.nonce == "a nonce")
            #expect(identity.audience.value == [Self.client])
            #expect(identity.givenName == "Lee" && identity.familyName == "O'Hara")
            #expect(try await exchange(server, sentBack["code"] ?? "").json?["error"] as? String == "invalid_grant")
        }
    }

    @Test("Cancel sends an error back, and the ID token of a person without an address has no such claim")
    func cancelledConsent() async throws {
        try await withSimulator { server in
            #expect(try await decide(server, "cancel") == ["error": "access_denied", "state": "s/1"])
            let code = try #require(try await decide(server, GooglePerson.all[3].subject)["code"])
            let token = try #require(try await exchange(server, code).json?["id_token"] as? String)
            let claims = try #require(JWS(token)?.claims)
            #expect(claims["email"] == nil && claims["email_verified"] == nil && claims["name"] == nil)
        }
    }

    @Test(
        "An error in a link is shown on a page",
        arguments: [
            ("client_id", "another", "invalid_client"), ("redirect_uri", nil, "redirect_uri_mismatch"),
            ("redirect_uri", "http://127.0.0.1:8080/elsewhere", "redirect_uri_mismatch"),
            ("redirect_uri", "http://192.168.1.2:8080/v1/auth/google/callback", "redirect_uri_mismatch"),
            ("response_type", "token", "response_type"), ("scope", "email", "invalid_scope"),
            ("scope", "openid everything", "invalid_scope"), ("code_challenge_method", "plain", "code_challenge"),
            ("code_challenge", "short", "code_challenge"),
        ] as [(String, String?, String)])
    func wrongLinks(parameter: String, value: String?, reason: String) async throws {
        try await withSimulator { server in
            for method in ["GET", "POST"] {
                let answer = try await server.send(
                    method, authorization([parameter: value]),
                    headers: ["Content-Type: application/x-www-form-urlencoded"], body: "decision=cancel")
                #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.text)")
            }
        }
    }

    @Test(
        "Each error in an exchange has its code",
        arguments: [
            (["client_secret": nil], 400, "invalid_request", "client_secret is missing."),
            (["client_secret": "guessed"], 401, "invalid_client", "Unauthorized"),
            (["client_id": "another"], 401, "invalid_client", "The OAuth client was not found."),
            (["code": "4/0never"], 400, "invalid_grant", "Malformed auth code."),
            (["redirect_uri": "http://127.0.0.1:8081/"], 400, "redirect_uri_mismatch", "Bad Request"),
            (["code_verifier": nil], 400, "invalid_grant", "Missing code verifier."),
            (["code_verifier": String(repeating: "v", count: 43)], 400, "invalid_grant", "Invalid code verifier."),
            (["grant_type": "refresh_token"], 400, "unsupported_grant_type", "Invalid grant_type: refresh_token"),
        ] as [([String: String?], Int, String, String)])
    func wrongExchanges(changes: [String: String?], status: Int, error: String, text: String) async throws {
        try await withSimulator { server in
            let code = try #require(try await decide(server, GooglePerson.all[0].subject)["code"])
            let answer = try await exchange(server, code, changes)
            #expect(answer.status == status)
            #expect(answer.json as? [String: String] == ["error": error, "error_description": text], "\(answer.text)")
        }
    }

    @Test("A client may authenticate in a header, JSON is not a form, and a code expires")
    func tokenRequests() async throws {
        try await withSimulator { server in
            let code = try #require(try await decide(server, GooglePerson.all[0].subject)["code"])
            let json = try await server.send(
                "POST", "/google/token", headers: ["Content-Type: application/json"],
                body: #"{"grant_type": "authorization_code", "code": "\#(code)"}"#)
            #expect(json.json?["error"] as? String == "unsupported_grant_type")
            let basic = Data("\(Self.client):demo-google-secret".utf8).base64EncodedString()
            let answer = try await exchange(
                server, code, ["client_id": nil, "client_secret": nil], headers: ["Authorization: Basic " + basic])
            #expect(answer.status == 200)

            try await server.send("POST", "/_sim/google/config", body: #"{"codeSeconds": 0}"#)
            let late = try #require(try await decide(server, GooglePerson.all[0].subject)["code"])
            #expect(try await exchange(server, late).json?["error"] as? String == "invalid_grant")
        }
    }

    @Test("The keys' max-age is a setting, and a rotation keeps the previous key in the key set")
    func rotatedKeys() async throws {
        try await withSimulator { server in
            try await server.send("POST", "/_sim/google/config", body: #"{"keysMaxAgeSeconds": 90}"#)
            func ids() async throws -> [String] {
                let answer = try await server.send("GET", "/google/oauth2/v3/certs")
                #expect(answer.headers["cache-control"] == "public, max-age=90, must-revalidate, no-transform")
                let keys = try #require(answer.json?["keys"] as? [[String: Any]])
                #expect(keys.allSatisfy { $0["alg"] as? String == "RS256" && $0["use"] as? String == "sig" })
                return keys.compactMap { $0["kid"] as? String }
            }
            func minted() async throws -> String? {
                let answer = try await server.send("POST", "/_sim/google/mint", body: "{}")
                return (answer.json?["idToken"] as? String).flatMap { JWS($0)?.header["kid"]?.string }
            }
            let first = try await ids()
            #expect(try await minted() == first[0])
            try await server.send("POST", "/_sim/google/keys", body: #"{"rotate": true, "publish": false}"#)
            let early = try #require(try await minted())
            #expect(try await ids() == first && early != first[0])
            try await server.send("POST", "/_sim/google/keys", body: #"{"publish": true}"#)
            #expect(try await ids() == [early] + first)
            try await server.send("POST", "/_sim/google/keys", body: #"{"rotate": true}"#)
            let last = try await ids()
            #expect(last.count == 2 && last[1] == early)
            #expect(try await server.send("GET", "/_sim/google/counters").text.contains("certs"))
        }
    }
}
