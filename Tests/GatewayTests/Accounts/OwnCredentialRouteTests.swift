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

@Suite("A person's own tokens and sessions")
struct OwnCredentialRouteTests {
    private struct Item: Decodable {
        var id: String
        var name: String?
        var userAgent: String?
        var token: String?
        var expiresAt: String?
        var endsAt: String?
        var madeWith: String?
        var isCurrent: Bool?
    }

    private struct List: Decodable {
        var items: [Item]
    }

    private func decode<Value: Decodable>(_ response: TestResponse) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(response.body.readableBytesView))
    }

    private func bearer(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }

    @Test("A token is made and named, marked as the current one, and refused at once after its revocation")
    func lifeOfAToken() async throws {
        try await TestGateway.run { gateway in
            let first = try await gateway.authorization()
            try await gateway.withClient { client in
                func add(_ body: String) async throws -> TestResponse {
                    try await client.execute(
                        uri: "/v1/me/tokens", method: .post, headers: first, body: ByteBuffer(string: body))
                }
                let made: Item = try decode(try await add(#"{"name":"phone","expiresAt":"2999-01-01T00:00:00Z"}"#))
                let phone = bearer(try #require(made.token))
                #expect(made.expiresAt == "2999-01-01T00:00:00.000000Z")
                let listed = try await client.execute(uri: "/v1/me/tokens", method: .get, headers: phone)
                let list: List = try decode(listed)
                #expect(list.items.map(\.name) == ["first", "phone"])
                #expect(list.items.map(\.isCurrent) == [false, true])
                #expect(!String(buffer: listed.body).contains("bl_"))

                #expect(try await add(#"{"name":"phone"}"#).problem.code == "tokenNameTaken")
                #expect(try await add(#"{"name":" "}"#).problem.field == "$.name")
                let past = try await add(#"{"name":"past","expiresAt":"2020-01-01T00:00:00Z"}"#)
                #expect(try past.status == .unprocessableContent && past.problem.field == "$.expiresAt")

                // A session that the token started ends with it.
                let signedIn = try await client.execute(
                    uri: "/v1/session", method: .post,
                    body: ByteBuffer(string: #"{"token":"\#(try #require(made.token))"}"#))
                let cookie = try #require(signedIn.headers[.setCookie]?.split(separator: ";").first)
                let browser: HTTPFields = [.cookie: String(cookie)]
                #expect(try await client.execute(uri: "/v1/me", method: .get, headers: browser).status == .ok)

                let revoked = try await client.execute(
                    uri: "/v1/me/tokens/\(made.id)", method: .delete, headers: first)
                #expect(revoked.status == .noContent)
                for headers in [phone, browser] {
                    #expect(
                        try await client.execute(uri: "/v1/me", method: .get, headers: headers).status == .unauthorized)
                }
                let again = try await client.execute(uri: "/v1/me/tokens/\(made.id)", method: .delete, headers: first)
                #expect(again.status == .notFound)
            }
        }
    }

    @Test("A token that is made with an expiring one, or in its session, ends with it; the answer says when")
    func madeWithToken() async throws {
        try await TestGateway.run { gateway in
            let first = try await gateway.authorization()
            try await gateway.withClient { client in
                func add(_ name: String, _ headers: HTTPFields, expiresAt: String? = nil) async throws -> Item {
                    let body = #"{"name":"\#(name)""# + (expiresAt.map { #","expiresAt":"\#($0)""# } ?? "") + "}"
                    let response = try await client.execute(
                        uri: "/v1/me/tokens", method: .post, headers: headers, body: ByteBuffer(string: body))
                    #expect(response.status == .created)
                    return try decode(response)
                }
                func isLetIn(_ headers: HTTPFields) async throws -> Bool {
                    try await client.execute(uri: "/v1/me", method: .get, headers: headers).status == .ok
                }
                let end = "2999-01-01T00:00:00.000000Z"
                let brief = try await add("brief", first, expiresAt: end)
                #expect(brief.madeWith != nil && brief.expiresAt == end)
                let briefToken = try #require(brief.token)
                let signedIn = try await client.execute(
                    uri: "/v1/session", method: .post, body: ByteBuffer(string: #"{"token":"\#(briefToken)"}"#))
                let cookie = String(try #require(signedIn.headers[.setCookie]?.split(separator: ";").first))
                let browser: HTTPFields = [.cookie: cookie, .origin: "http://localhost"]

                let forEver = try await add("for ever", bearer(briefToken))
                let longer = try await add("longer", browser, expiresAt: "2999-06-01T00:00:00Z")
                for made in [forEver, longer] { #expect(made.expiresAt == end && made.madeWith == brief.id) }
                let list: List = try decode(
                    try await client.execute(uri: "/v1/me/tokens", method: .get, headers: first))
                #expect(list.items.map(\.madeWith) == [nil, list.items[0].id, brief.id, brief.id])

                let all = [bearer(briefToken), browser] + [forEver, longer].map { bearer($0.token ?? "") }
                for headers in all { #expect(try await isLetIn(headers)) }
                let revoked = try await client.execute(
                    uri: "/v1/me/tokens/\(brief.id)", method: .delete, headers: first)
                #expect(revoked.status == .noContent)
                for headers in all { #expect(try await !isLetIn(headers)) }
                #expect(try await isLetIn(first))
            }
        }
    }

    @Test("A session has a latest end, and its cookie does not outlast it")
    func absoluteEnd() async throws {
        try await TestGateway.run { gateway in
            let accounts = Accounts(database: gateway.database)
            _ = try await accounts.addUser(name: "ada")
            // The session started 80 days ago and has been used since.
            let began = Timestamp.now().advanced(by: .seconds(-80 * 86_400))
            let code = try await accounts.signInLink(user: "ada", now: began)
            let (key, session) = try #require(try await accounts.signIn(link: code, now: began))
            try await accounts.recordUses(tokens: [:], sessions: [key.hash: .now().advanced(by: .seconds(-86_400))])
            try await gateway.withClient { client in
                let headers: HTTPFields = [.cookie: "backline_session=\(key.secret.reveal())"]
                let shown = try await client.execute(uri: "/v1/session", method: .get, headers: headers)
                struct View: Decodable { var expiresAt: String }
                let view: View = try decode(shown)
                #expect(Timestamp(rfc3339: view.expiresAt) == session.endsAt)
                let age = try #require(
                    shown.headers[.setCookie]?.firstMatch(of: /Max-Age=([0-9]+)/).flatMap { Int($0.1) })
                #expect((9 * 86_400...10 * 86_400).contains(age))
                let list: List = try decode(
                    try await client.execute(uri: "/v1/me/sessions", method: .get, headers: headers))
                #expect(list.items.first?.endsAt.flatMap { Timestamp(rfc3339: $0) } == session.endsAt)
            }
        }
    }

    @Test("A session has the name of its browser, and ends at once when another session ends it")
    func endOfASession() async throws {
        try await TestGateway.run { gateway in
            let token = try await gateway.addUser("ada").secret.reveal()
            try await gateway.withClient { client in
                var cookies: [HTTPFields] = []
                for agent in ["Firefox \u{1F98A}", String(repeating: "x", count: 2_000)] {
                    let response = try await client.execute(
                        uri: "/v1/session", method: .post, headers: [.userAgent: agent],
                        body: ByteBuffer(string: #"{"token":"\#(token)"}"#))
                    let cookie = try #require(response.headers[.setCookie]?.split(separator: ";").first)
                    cookies.append([.cookie: String(cookie), .origin: "http://localhost"])
                }
                let list: List = try decode(
                    try await client.execute(uri: "/v1/me/sessions", method: .get, headers: cookies[1]))
                #expect(list.items.map(\.isCurrent) == [false, true])
                #expect(list.items.map { $0.userAgent?.count } == [9, 300])
                let first = try #require(list.items.first)
                // The gateway has cached the session, so it has to remove it in order to end it at once.
                #expect(try await client.execute(uri: "/v1/me", method: .get, headers: cookies[0]).status == .ok)
                let ended = try await client.execute(
                    uri: "/v1/me/sessions/\(first.id)", method: .delete, headers: cookies[1])
                #expect(ended.status == .noContent)
                let statuses = try await [
                    client.execute(uri: "/v1/me", method: .get, headers: cookies[0]).status,
                    client.execute(uri: "/v1/me", method: .get, headers: cookies[1]).status,
                ]
                #expect(statuses == [.unauthorized, .ok])
            }
        }
    }

    @Test("Another user's tokens and sessions are 404")
    func credentialsOfOthers() async throws {
        try await TestGateway.run { gateway in
            let (ada, bob) = (try await gateway.addUser("ada"), try await gateway.authorization("bob"))
            let accounts = Accounts(database: gateway.database)
            let session = try #require(try await accounts.signIn(token: ada))
            let token = try #require(try await accounts.tokens(of: "ada").first)
            let sessionID = try #require(
                try await accounts.sessions(userID: session.1.user.id).first?.id)
            try await gateway.withClient { client in
                for path in ["tokens/\(token.id)", "sessions/\(sessionID)"] {
                    let answer = try await client.execute(uri: "/v1/me/\(path)", method: .delete, headers: bob)
                    #expect(try answer.status == .notFound && answer.problem.code == "notFound")
                }
                let list: List = try decode(
                    try await client.execute(uri: "/v1/me/sessions", method: .get, headers: bob))
                #expect(list.items.isEmpty)
            }
            #expect(try await accounts.user(for: ada) != nil)
        }
    }

    @Test("An expired token signs nobody in, and neither does a session that it started")
    func expiredToken() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "ada")
            let now = Timestamp.now()
            let end = now.advanced(by: .seconds(60))
            let (_, token) = try await accounts.addToken(user: "ada", name: "brief", expiresAt: end)
            let (key, session) = try #require(try await accounts.signIn(token: token, now: now))
            let last = end.advanced(by: .microseconds(-1))
            #expect(try await accounts.user(for: token, now: last)?.name == "ada")
            #expect(try await accounts.session(key, now: last) != nil)
            #expect(try await accounts.user(for: token, now: end) == nil)
            #expect(try await accounts.session(key, now: end) == nil)
            #expect(try await accounts.sessions(userID: session.user.id, now: end).isEmpty)
            #expect(try await accounts.signIn(token: token, now: end) == nil)
        }
    }
}
