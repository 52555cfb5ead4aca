import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Storage
import Testing

@testable import Gateway

@Suite("Profiles in the API")
struct ProfileRouteTests {
    private func object(_ response: TestResponse) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any])
    }

    private func patch(_ client: some TestClientProtocol, _ headers: HTTPFields, _ body: String) async throws
        -> TestResponse
    {
        try await client.execute(uri: "/v1/me", method: .patch, headers: headers, body: ByteBuffer(string: body))
    }

    @Test("A new profile has only the name; a change is stored, and null clears a field")
    func changes() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization("Žofie")
            try await gateway.withClient { client in
                let first = try await client.execute(uri: "/v1/me", method: .get, headers: headers)
                #expect(first.status == .ok && first.headers[.eTag] != nil)
                let start = try object(first)
                #expect(start["username"] as? String == "Žofie" && start["displayName"] is NSNull)
                #expect(start["profileVisibility"] as? String == "public")
                #expect(start["updatedAt"] as? String == start["createdAt"] as? String)
                #expect(start["showListeningStats"] as? Bool == true && start["hasPushToken"] as? Bool == false)

                let changed = try await patch(
                    client, headers,
                    """
                    {"displayName":" Žofie N. ","bio":"two\\nlines","pictureURL":"https://example.org/a.png",
                    "homeCity":"Praha","profileVisibility":"private","showListeningStats":false,"pushToken":"t0k3n"}
                    """)
                let profile = try object(changed)
                #expect(profile["displayName"] as? String == "Žofie N." && profile["bio"] as? String == "two\nlines")
                #expect(profile["pictureURL"] as? String == "https://example.org/a.png")
                #expect(profile["homeCity"] as? String == "Praha" && profile["showListeningStats"] as? Bool == false)
                #expect(profile["profileVisibility"] as? String == "private")
                #expect(profile["hasPushToken"] as? Bool == true)
                #expect(!String(buffer: changed.body).contains("t0k3n"))
                let shown = try await client.execute(uri: "/v1/me", method: .get, headers: headers)
                #expect(String(buffer: shown.body) == String(buffer: changed.body))

                let cleared = try object(
                    try await patch(client, headers, #"{"bio":null,"pushToken":null,"homeCity":"  "}"#))
                #expect(cleared["bio"] is NSNull && cleared["homeCity"] is NSNull)
                #expect(cleared["hasPushToken"] as? Bool == false)
                #expect(cleared["displayName"] as? String == "Žofie N.", "what is not named stays")
            }
        }
    }

    @Test(
        "An invalid field of a profile is refused with its name",
        arguments: [
            (#"{"pictureURL":"http://example.org/a.png"}"#, "$.pictureURL"),
            (#"{"pictureURL":"javascript:alert(1)"}"#, "$.pictureURL"),
            (#"{"pictureURL":"https://u:p@example.org/"}"#, "$.pictureURL"),
            (#"{"pictureURL":"https://"}"#, "$.pictureURL"), (#"{"username":null}"#, "$.username"),
            (#"{"username":"  "}"#, "$.username"), (#"{"displayName":"a\u0007b"}"#, "$.displayName"),
            (#"{"displayName":"a\nb"}"#, "$.displayName"), (#"{"profileVisibility":"all"}"#, "$.profileVisibility"),
            (#"{"profileVisibility":null}"#, "$.profileVisibility"),
            (#"{"showListeningStats":"yes"}"#, "$.showListeningStats"), (#"{"isAdmin":true}"#, "$.isAdmin"),
            (#"{"bio":7}"#, "$.bio"), (#"{"bio":"\#(String(repeating: "b", count: 501))"}"#, "$.bio"),
        ])
    func refusals(body: String, field: String) async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                let before = try await client.execute(uri: "/v1/me", method: .get, headers: headers)
                let refused = try await patch(client, headers, body)
                #expect(refused.status == .unprocessableContent)
                #expect(try refused.problem.code == "invalidField" && refused.problem.field == field)
                let after = try await client.execute(uri: "/v1/me", method: .get, headers: headers)
                #expect(String(buffer: before.body) == String(buffer: after.body))
            }
        }
    }

    @Test("A username is unique whatever its case and accents, and its owner may change these")
    func usernames() async throws {
        try await TestGateway.run { gateway in
            let ada = try await gateway.authorization("ada")
            let zoe = try await gateway.authorization("Zoë")
            try await gateway.withClient { client in
                for name in ["Zoë", "zoe", "ZOË"] {
                    let refused = try await patch(client, ada, #"{"username":"\#(name)"}"#)
                    #expect(try refused.status == .conflict && refused.problem.code == "usernameTaken")
                }
                #expect(try await patch(client, zoe, #"{"username":"zoe"}"#).status == .ok)
                // The cached user of the token is removed.
                let session = try await client.execute(uri: "/v1/session", method: .get, headers: zoe)
                #expect(String(buffer: session.body).contains(#""name":"zoe""#))
            }
        }
    }

    @Test("Others see a public profile without its private fields; a private profile answers like a missing one")
    func visibility() async throws {
        try await TestGateway.run { gateway in
            let ada = try await gateway.authorization("ada lovelace/é")
            let bob = try await gateway.authorization("bob")
            try await gateway.withClient { client in
                func see(_ name: String, _ headers: HTTPFields) async throws -> TestResponse {
                    try await client.execute(uri: "/v1/users/\(name)", method: .get, headers: headers)
                }
                _ = try await patch(client, ada, #"{"homeCity":"London","pushToken":"t","bio":"Hello"}"#)
                let name = "ada%20lovelace%2F%C3%A9"
                let seen = try object(try await see(name, bob))
                #expect(Set(seen.keys) == ["username", "displayName", "bio", "pictureURL", "picture", "createdAt"])
                #expect(seen["username"] as? String == "ada lovelace/é" && seen["bio"] as? String == "Hello")
                let unknown = try await see("nobody", bob)
                #expect(unknown.status == .notFound)
                for visibility in ["private", "followers"] {
                    _ = try await patch(client, ada, #"{"profileVisibility":"\#(visibility)"}"#)
                    let hidden = try await see(name, bob)
                    #expect(hidden.status == .notFound)
                    #expect(String(buffer: hidden.body) == String(buffer: unknown.body))
                    #expect(try await see(name, ada).status == .ok)
                }
            }
        }
    }
}
