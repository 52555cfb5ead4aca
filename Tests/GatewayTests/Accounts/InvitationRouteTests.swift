import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Storage
import Testing

@testable import Gateway

@Suite("Invitations in the API", .timeLimit(.minutes(5)))
struct InvitationRouteTests {
    private func object(_ response: TestResponse) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any])
    }

    private func accept(
        _ client: some TestClientProtocol, _ code: String, _ name: String, origin: String = "http://localhost"
    ) async throws -> TestResponse {
        try await client.execute(
            uri: "/v1/session/invitation", method: .post, headers: [.origin: origin],
            body: ByteBuffer(string: #"{"code":"\#(code)","username":"\#(name)"}"#))
    }

    private func check(_ client: some TestClientProtocol, _ code: String) async throws -> TestResponse {
        try await client.execute(
            uri: "/v1/session/invitation/check", method: .post, body: ByteBuffer(string: #"{"code":"\#(code)"}"#))
    }

    @Test("An administrator's link leads to a name and signs its person in, once")
    func invitation() async throws {
        try await TestGateway.run(publicURL: "http://backline.example") { gateway in
            let boss = try await gateway.authorization("boss", isAdmin: true)
            let ada = try await gateway.authorization("ada")
            try await gateway.withClient { client in
                let refused = try await client.execute(uri: "/v1/invitations", method: .post, headers: ada)
                #expect(try refused.status == .forbidden && refused.problem.code == "adminOnly")
                let made = try await client.execute(uri: "/v1/invitations", method: .post, headers: boss)
                #expect(made.status == .created)
                let invitation = try object(made)
                let url = try #require(invitation["url"] as? String)
                let prefix = "http://backline.example/invitation#"
                #expect(url.hasPrefix(prefix))
                let code = String(url.dropFirst(prefix.count))
                let listed = try await client.execute(uri: "/v1/invitations", method: .get, headers: boss)
                #expect(!String(buffer: listed.body).contains(code))
                let items = try #require(try object(listed)["items"] as? [[String: Any]])
                #expect(items.count == 1 && items.first?["id"] as? String == invitation["id"] as? String)

                let site = "http://backline.example"
                let crossing = try await accept(client, code, "eve", origin: "https://evil.example")
                #expect(crossing.status == .forbidden)
                for (name, status, problem) in [
                    ("boss", HTTPResponse.Status.conflict, "usernameTaken"),
                    ("Eve", .unprocessableContent, "invalidField"), ("admin", .unprocessableContent, "invalidField"),
                ] {
                    let refused = try await accept(client, code, name, origin: site)
                    #expect(try refused.status == status && refused.problem.code == problem, "\(name)")
                    #expect(try refused.problem.field == "$.username")
                }
                let unknown = try await accept(client, code + "x", "eve", origin: site)
                #expect(try unknown.status == .unauthorized && unknown.problem.code == "invalidInvitation")
                // Whoever opens the link learns whether it works, as often as they like.
                for _ in 0..<2 { #expect(try await check(client, code).status == .noContent) }
                let mistyped = try await check(client, code + "x")
                #expect(try mistyped.status == .unauthorized && mistyped.problem.code == "invalidInvitation")
                let accepted = try await accept(client, code, "eve", origin: site)
                #expect(accepted.status == .ok)
                let user = try #require(try object(accepted)["user"] as? [String: Any])
                #expect(user["name"] as? String == "eve" && user["isAdmin"] as? Bool == false)
                let cookie = try #require(accepted.headers[.setCookie]?.split(separator: ";").first)
                let me = try await client.execute(uri: "/v1/me", method: .get, headers: [.cookie: String(cookie)])
                #expect(try object(me)["username"] as? String == "eve")
                let again = try await accept(client, code, "mallory", origin: site)
                #expect(try again.status == .unauthorized && again.problem.code == "invalidInvitation")
                let used = try await check(client, code)
                #expect(try used.status == .unauthorized && used.problem.code == "invalidInvitation")
            }
        }
    }

    @Test("Where everyone may invite, people withdraw their own invitations only")
    func everyone() async throws {
        try await TestGateway.run(changeSettings: { $0[AccountSettings.self].invitations = .everyone }) { gateway in
            let ada = try await gateway.authorization("ada")
            let bob = try await gateway.authorization("bob")
            try await gateway.withClient { client in
                let made = try await client.execute(uri: "/v1/invitations", method: .post, headers: ada)
                #expect(made.status == .created)
                let id = try #require(try object(made)["id"] as? String)
                for (headers, status) in [
                    (bob, HTTPResponse.Status.notFound), (ada, .noContent), (ada, .notFound),
                ] {
                    let answer = try await client.execute(
                        uri: "/v1/invitations/\(id)", method: .delete, headers: headers)
                    #expect(answer.status == status)
                }
            }
        }
    }
}
