import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import NIOCore
import Storage
import TestSupport
import Testing

@testable import Gateway

@Suite("Signing in with a browser")
struct SessionRouteTests {
    /// The origin with the test client's host.
    private static let origin = "http://localhost"

    private struct View: Decodable {
        struct User: Decodable {
            var id: String
            var name: String
            var isAdmin: Bool
        }
        var user: User
        var expiresAt: String?
    }

    private func view(_ response: TestResponse) throws -> View {
        try JSONDecoder().decode(View.self, from: Data(response.body.readableBytesView))
    }

    private func signIn(
        _ client: some TestClientProtocol, _ body: String, headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await client.execute(
            uri: "/v1/session", method: .post, headers: headers, body: ByteBuffer(string: body))
    }

    /// `backline_session=…`, as a browser sends it back.
    private func cookie(_ response: TestResponse) throws -> String {
        let header = try #require(response.headers[.setCookie])
        return String(try #require(header.split(separator: ";").first))
    }

    @Test("A link signs its user in, with a cookie that no script reads and no other site sends")
    func linkSignsIn() async throws {
        try await TestGateway.run { gateway in
            _ = try await Accounts(database: gateway.database).addUser(name: "ada", isAdmin: true)
            let code = try await Accounts(database: gateway.database).signInLink(user: "ada").secret.reveal()
            try await gateway.withClient { client in
                let response = try await signIn(client, #"{"link":"\#(code)"}"#, headers: [.origin: Self.origin])
                #expect(response.status == .ok)
                let session = try view(response)
                #expect(session.user.name == "ada" && session.user.isAdmin && UUIDv7.isWellFormed(session.user.id))
                let expiry = try #require(session.expiresAt.flatMap { Timestamp(rfc3339: $0) })
                #expect(Timestamp.now().duration(to: expiry) > .seconds(29 * 86_400))
                let attributes = Set(
                    try #require(response.headers[.setCookie]).split(separator: "; ").dropFirst().map(String.init))
                #expect(attributes.isSuperset(of: ["HttpOnly", "SameSite=Lax", "Path=/"]) && attributes.count == 4)
                // The rest of the thirty days when the response is written.
                let ages = attributes.compactMap { $0.hasPrefix("Max-Age=") ? Int($0.dropFirst(8)) : nil }
                #expect(ages.count == 1 && ages.allSatisfy { ((29 * 86_400)...(30 * 86_400)).contains($0) })

                let again = try await signIn(client, #"{"link":"\#(code)"}"#)
                #expect(try again.status == .unauthorized && again.problem.code == "invalidLink")
                #expect(again.headers[.setCookie] == nil)

                let headers: HTTPFields = [.cookie: "theme=dark; " + (try cookie(response))]
                let shown = try await client.execute(uri: "/v1/session", method: .get, headers: headers)
                #expect(try view(shown).user.name == "ada")
                // The cookie is renewed, so that it lasts as long as the session.
                #expect(try cookie(shown) == cookie(response))
            }
        }
    }

    @Test("With an https public URL the cookie is sent over TLS only, and no other host can set it")
    func cookieOverTLS() async throws {
        try await TestGateway.run(publicURL: "https://backline.example.org") { gateway in
            let token = try await gateway.addUser("ada").secret.reveal()
            try await gateway.withClient { client in
                let response = try await signIn(
                    client, #"{"token":"\#(token)"}"#, headers: [.origin: "https://backline.example.org"])
                #expect(response.status == .ok)
                let header = try #require(response.headers[.setCookie])
                // Browsers accept this prefix only with Secure, Path=/ and no Domain.
                #expect(header.hasPrefix("__Host-backline_session="))
                let attributes = header.split(separator: ";").dropFirst().map { $0.drop(while: \.isWhitespace) }
                #expect(attributes.contains("Secure") && attributes.contains("Path=/"), "\(header)")
                #expect(!header.contains("Domain"))
                let cookie = try cookie(response)
                for (sent, status) in [
                    (cookie, 200), ("\(cookie); backline_session=tossed", 200),
                    (String(cookie.dropFirst("__Host-".count)), 401),
                ] {
                    let shown = try await client.execute(uri: "/v1/session", method: .get, headers: [.cookie: sent])
                    #expect(shown.status.code == status)
                }
            }
        }
    }

    @Test(
        "A refused sign-in has its status and code",
        arguments: [
            (#"{"link":"bll_x"}"#, 401, "invalidLink"), (#"{"token":"bl_x"}"#, 401, "invalidToken"),
            (#"{"link":""}"#, 401, "invalidLink"),
            ("{}", 422, "invalidField"), (#"{"link":"a","token":"b"}"#, 422, "invalidField"),
            (#"{"link":7}"#, 422, "invalidField"), (#"{"user":"ada"}"#, 422, "invalidField"), ("x", 400, "invalidJSON"),
        ])
    func refusedSignIns(body: String, status: Int, code: String) async throws {
        try await TestGateway.run { gateway in
            try await gateway.withClient { client in
                let response = try await signIn(client, body)
                #expect(try response.status.code == status && response.problem.code == code)
                #expect(response.headers[.setCookie] == nil)
            }
        }
    }

    @Test("Another site can neither sign people in nor change anything through their browser")
    func crossOrigin() async throws {
        try await TestGateway.run { gateway in
            let token = try await gateway.addUser("ada").secret.reveal()
            let body = #"{"token":"\#(token)"}"#
            try await gateway.withClient { client in
                let login = try await signIn(client, body, headers: [.origin: "http://evil.example"])
                #expect(try login.status == .forbidden && login.problem.code == "crossOrigin")
                let cookie = try cookie(try await signIn(client, body))
                for (origin, status) in [("http://evil.example", 403), ("null", 403), (nil, 403), (Self.origin, 201)] {
                    var headers: HTTPFields = [.cookie: cookie]
                    if let origin { headers[.origin] = origin }
                    let response = try await client.execute(
                        uri: "/v1/artists", method: .post, headers: headers,
                        body: ByteBuffer(string: #"{"name":"Air"}"#))
                    #expect(response.status.code == status, "\(origin ?? "none")")
                    // A read needs no origin: a browser does not show its response to scripts of other sites.
                    headers[.origin] = nil
                    #expect(try await client.execute(uri: "/v1/artists", method: .get, headers: headers).status == .ok)
                }
                // Browsers do not send a token by themselves, so it needs no origin, and it takes precedence over a
                // cookie.
                let authorization: HTTPFields = [.authorization: "Bearer \(token)", .cookie: cookie]
                let reset = try await client.execute(
                    uri: "/v1/artists", method: .put, headers: authorization,
                    body: ByteBuffer(string: #"{"artists":[]}"#))
                #expect(reset.status == .ok)
                let wrong: HTTPFields = [.authorization: "Bearer wrong", .cookie: cookie]
                #expect(
                    try await client.execute(uri: "/v1/artists", method: .get, headers: wrong).status == .unauthorized)
            }
        }
    }

    @Test("Of two cookies with the name, one of which another site has set, neither signs anybody in")
    func twoCookies() async throws {
        try await TestGateway.run { gateway in
            let tokens = [try await gateway.addUser("ada"), try await gateway.addUser("eve")]
            try await gateway.withClient { client in
                var cookies: [String] = []
                for token in tokens {
                    cookies.append(try cookie(try await signIn(client, #"{"token":"\#(token.secret.reveal())"}"#)))
                }
                let (ada, eve) = (cookies[0], cookies[1])
                for (sent, status) in [
                    (ada, 200), ("\(ada); \(ada)", 200), ("\(eve); \(ada)", 401), ("\(ada); \(eve)", 401),
                ] {
                    let shown = try await client.execute(uri: "/v1/session", method: .get, headers: [.cookie: sent])
                    #expect(shown.status.code == status)
                }
            }
        }
    }

    @Test("A link stays valid when the former session cannot be ended")
    func storageTrouble() async throws {
        try await TestGateway.run { gateway in
            let token = try await gateway.addUser("ada").secret.reveal()
            let code = try await Accounts(database: gateway.database).signInLink(user: "ada").secret.reveal()
            try await gateway.withClient { client in
                let former = try cookie(try await signIn(client, #"{"token":"\#(token)"}"#))
                func signInAgain() async throws -> TestResponse {
                    try await signIn(client, #"{"link":"\#(code)"}"#, headers: [.cookie: former])
                }
                try await gateway.database.write {
                    try $0.run(
                        "CREATE TRIGGER stay BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'broken'); END")
                }
                let failed = try await signInAgain()
                #expect(try failed.status == .serviceUnavailable && failed.problem.code == "storageFailed")
                #expect(failed.headers[.setCookie] == nil)
                try await gateway.database.write { try $0.run("DROP TRIGGER stay") }
                let signedIn = try await signInAgain()
                #expect(signedIn.status == .ok)
                let shown = try await client.execute(
                    uri: "/v1/session", method: .get, headers: [.cookie: try cookie(signedIn)])
                #expect(shown.status == .ok)
            }
        }
    }

    @Test("Signing out ends the session at once, and so does replacing it")
    func signOut() async throws {
        try await TestGateway.run { gateway in
            let token = try await gateway.addUser("ada").secret.reveal()
            let body = #"{"token":"\#(token)"}"#
            try await gateway.withClient { client in
                func status(_ cookie: String) async throws -> HTTPResponse.Status {
                    try await client.execute(uri: "/v1/session", method: .get, headers: [.cookie: cookie]).status
                }
                let first = try cookie(try await signIn(client, body))
                #expect(try await status(first) == .ok)
                let second = try cookie(try await signIn(client, body, headers: [.cookie: first]))
                #expect(try await status(first) == .unauthorized)
                #expect(try await status(second) == .ok)
                let out = try await client.execute(
                    uri: "/v1/session", method: .delete, headers: [.cookie: second, .origin: Self.origin])
                #expect(out.status == .noContent)
                #expect(try cookie(out) == "backline_session=")
                #expect(try #require(out.headers[.setCookie]).contains("Max-Age=0"))
                #expect(try await status(second) == .unauthorized)
                for other in ["backline_session=", "backline_session", "other=\(second)", ""] {
                    #expect(try await status(other) == .unauthorized, "\(other)")
                }
                // A token has no session to end.
                let byToken = try await client.execute(
                    uri: "/v1/session", method: .delete, headers: [.authorization: "Bearer \(token)"])
                #expect(try byToken.status == .conflict && byToken.problem.code == "noSession")
            }
        }
    }
}
