import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import NIOCore
import Storage
import Testing

@testable import Gateway

@Suite("Accounts in the API of administrators, and leaving", .timeLimit(.minutes(5)))
struct AccountAdminRouteTests {
    private static let origin = "http://localhost"

    private func bearer(_ token: APIToken) -> HTTPFields {
        [.authorization: "Bearer \(token.secret.reveal())"]
    }

    private func object(_ response: TestResponse) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any])
    }

    /// The cookie of a browser that signed in at a moment.
    private func browser(_ token: APIToken, in gateway: TestGateway, secondsAgo: Int = 0) async throws -> HTTPFields {
        let (key, _) = try #require(
            try await Accounts(database: gateway.database).signIn(
                token: token, now: Timestamp.now().advanced(by: .seconds(-secondsAgo))))
        return [.cookie: "backline_session=\(key.secret.reveal())", .origin: Self.origin]
    }

    @Test("Everybody is listed, suspended at once and reinstated; nobody suspends themselves")
    func suspension() async throws {
        try await TestGateway.run { gateway in
            let boss = bearer(try await gateway.addUser("boss", isAdmin: true))
            let token = try await gateway.addUser("ada")
            let session = try await browser(token, in: gateway)
            try await gateway.withClient { client in
                func ask(_ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields) async throws
                    -> TestResponse
                {
                    try await client.execute(uri: path, method: method, headers: headers)
                }
                // Both are cached.
                for headers in [bearer(token), session] {
                    #expect(try await ask(.get, "/v1/me", headers).status == .ok)
                }
                let refused = try await ask(.put, "/v1/admin/accounts/boss/suspension", bearer(token))
                #expect(refused.status == .forbidden)
                let own = try await ask(.put, "/v1/admin/accounts/boss/suspension", boss)
                #expect(try own.status == .conflict && own.problem.code == "selfTarget")
                let nobody = try await ask(.put, "/v1/admin/accounts/nobody/suspension", boss)
                #expect(nobody.status == .notFound)
                for name in ["%FF", "%00", "%ED%A0%80"] {
                    for (method, path) in [
                        (HTTPRequest.Method.put, "/suspension"), (.delete, "/suspension"), (.put, "/administrator"),
                        (.delete, "/administrator"), (.delete, ""),
                    ] {
                        let malformed = try await ask(method, "/v1/admin/accounts/\(name)\(path)", boss)
                        #expect(malformed.status == .notFound && malformed.body == nobody.body, "\(method) \(name)")
                    }
                }
                for _ in 0..<2 {
                    let suspended = try await ask(.put, "/v1/admin/accounts/ada/suspension", boss)
                    #expect(suspended.status == .noContent)
                }
                for headers in [bearer(token), session] {
                    #expect(try await ask(.get, "/v1/me", headers).status == .unauthorized)
                }
                #expect(try await ask(.get, "/v1/users/ada", boss).status == .notFound)
                let list = try object(try await ask(.get, "/v1/admin/accounts", boss))
                let items = try #require(list["items"] as? [[String: Any]])
                #expect(items.map { $0["username"] as? String } == ["ada", "boss"])
                #expect(items.map { $0["isSuspended"] as? Bool } == [true, false])
                #expect(items.first?["lastSeenAt"] is String)
                #expect(list["nextCursor"] is NSNull)
                let page = try object(try await ask(.get, "/v1/admin/accounts?limit=1", boss))
                let next = try #require(page["nextCursor"] as? String)
                let rest = try object(try await ask(.get, "/v1/admin/accounts?limit=1&cursor=\(next)", boss))
                #expect((rest["items"] as? [[String: Any]])?.first?["username"] as? String == "boss")

                let back = try await ask(.delete, "/v1/admin/accounts/ada/suspension", boss)
                #expect(back.status == .noContent)
                #expect(try await ask(.get, "/v1/me", bearer(token)).status == .ok)
                #expect(try await ask(.get, "/v1/me", session).status == .unauthorized)
            }
        }
    }

    @Test("Erasing needs a sign-in of the last ten minutes, or one of the person's tokens, typed anew")
    func recentSignIn() async throws {
        try await TestGateway.run { gateway in
            let (token, bobs) = (try await gateway.addUser("ada"), try await gateway.addUser("bob"))
            let old = try await browser(token, in: gateway, secondsAgo: 601)
            let text = token.secret.reveal()
            try await gateway.withClient { client in
                func leave(_ headers: HTTPFields, _ body: String) async throws -> TestResponse {
                    try await client.execute(
                        uri: "/v1/me", method: .delete, headers: headers, body: ByteBuffer(string: body))
                }
                for headers in [bearer(token), old] {
                    let late = try await leave(headers, #"{"username":"ada"}"#)
                    #expect(try late.status == .forbidden && late.problem.code == "recentSignInRequired")
                    for wrong in ["bl_x", bobs.secret.reveal()] {
                        let refused = try await leave(headers, #"{"username":"ada","token":"\#(wrong)"}"#)
                        #expect(try refused.status == .unprocessableContent && refused.problem.field == "$.token")
                    }
                }
                let name = try await leave(old, #"{"username":"bob","token":"\#(text)"}"#)
                #expect(try name.status == .unprocessableContent && name.problem.field == "$.username")
                let new = try await browser(token, in: gateway, secondsAgo: 590)
                #expect(try await leave(new, #"{"username":"ada"}"#).status == .noContent)
                let bob = try await leave(bearer(bobs), #"{"username":"bob","token":"\#(bobs.secret.reveal())"}"#)
                #expect(bob.status == .noContent)
            }
            #expect(try await Accounts(database: gateway.database).users().isEmpty)
        }
    }

    @Test("The only administrator names another one first, and administrators erase others")
    func erasing() async throws {
        try await TestGateway.run { gateway in
            let token = try await gateway.addUser("boss", isAdmin: true)
            let (boss, text) = (bearer(token), token.secret.reveal())
            let session = try await browser(token, in: gateway)
            let ada = bearer(try await gateway.addUser("ada"))
            _ = try await gateway.addUser("bob")
            try await gateway.withClient { client in
                func ask(
                    _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields, _ body: String = ""
                ) async throws -> TestResponse {
                    try await client.execute(
                        uri: path, method: method, headers: headers, body: ByteBuffer(string: body))
                }
                let leaving = #"{"username":"boss","token":"\#(text)"}"#
                let alone = try await ask(.delete, "/v1/me", boss, leaving)
                #expect(try alone.status == .conflict && alone.problem.code == "lastAdministrator")
                let plain = try await ask(.delete, "/v1/admin/accounts/boss/administrator", boss)
                #expect(try plain.status == .conflict && plain.problem.code == "lastAdministrator")

                let refused = try await ask(.delete, "/v1/admin/accounts/bob", boss)
                #expect(try refused.status == .forbidden && refused.problem.code == "recentSignInRequired")
                let own = try await ask(.delete, "/v1/admin/accounts/boss", session)
                #expect(try own.status == .conflict && own.problem.code == "selfTarget")
                // A browser that has just signed in sends no body.
                #expect(try await ask(.delete, "/v1/admin/accounts/bob", session).status == .noContent)
                #expect(try await ask(.get, "/v1/users/bob", boss).status == .notFound)
                #expect(try await ask(.delete, "/v1/admin/accounts/bob", session).status == .notFound)

                let denied = try await ask(.put, "/v1/admin/accounts/ada/administrator", ada)
                #expect(denied.status == .forbidden)
                #expect(try await ask(.put, "/v1/admin/accounts/ada/administrator", boss).status == .noContent)
                // The cached user of her token is removed.
                #expect(try await ask(.get, "/v1/admin/accounts", ada).status == .ok)
                #expect(try await ask(.delete, "/v1/me", boss, leaving).status == .noContent)
                let list = try object(try await ask(.get, "/v1/admin/accounts", ada))
                #expect((list["items"] as? [[String: Any]])?.map { $0["username"] as? String } == ["ada"])
            }
        }
    }
}
