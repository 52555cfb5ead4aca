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
    func changesOfAProfile() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization("zofie")
            try await gateway.withClient { client in
                let first = try await client.execute(uri: "/v1/me", method: .get, headers: headers)
                #expect(first.status == .ok && first.headers[.eTag] != nil)
                let start = try object(first)
                #expect(start["username"] as? String == "zofie" && start["displayName"] is NSNull)
                #expect(start["profileVisibility"] as? String == "public")
                #expect(start["updatedAt"] as? String == start["createdAt"] as? String)
                #expect(start["showListeningStats"] as? Bool == true && start["onboarding"] as? Bool == true)
                #expect(start["mustChooseUsername"] as? Bool == false && start["usernameChangeableAt"] is NSNull)
                #expect(start["formerUsername"] is NSNull && start["spotifyId"] is NSNull)
                #expect(start["spotifyLinked"] as? Bool == false && start["geminiKeyConfigured"] as? Bool == false)
                #expect(start["hasOthers"] as? Bool == false && start["mayInvite"] as? Bool == false)
                let boss = try await gateway.authorization("boss", isAdmin: true)
                let inviting = try object(try await client.execute(uri: "/v1/me", method: .get, headers: boss))
                #expect(inviting["hasOthers"] as? Bool == true && inviting["mayInvite"] as? Bool == true)

                let changed = try await patch(
                    client, headers,
                    """
                    {"displayName":" Žofie N. ","bio":"two\\nlines","homeCity":"Praha",
                    "profileVisibility":"private","showListeningStats":false,"onboarding":false}
                    """)
                let profile = try object(changed)
                #expect(profile["displayName"] as? String == "Žofie N." && profile["bio"] as? String == "two\nlines")
                #expect(profile["homeCity"] as? String == "Praha" && profile["showListeningStats"] as? Bool == false)
                #expect(profile["profileVisibility"] as? String == "private")
                #expect(profile["onboarding"] as? Bool == false)
                let shown = try await client.execute(uri: "/v1/me", method: .get, headers: headers)
                #expect(String(buffer: shown.body) == String(buffer: changed.body))

                let cleared = try object(
                    try await patch(client, headers, #"{"bio":null,"homeCity":"  ","onboarding":true}"#))
                #expect(cleared["bio"] is NSNull && cleared["homeCity"] is NSNull)
                #expect(cleared["onboarding"] as? Bool == true)
                #expect(cleared["displayName"] as? String == "Žofie N.", "what is not named stays")
            }
        }
    }

    @Test(
        "An invalid field of a profile is refused with its name",
        arguments: [
            (#"{"pictureURL":"https://example.org/a.png"}"#, "$.pictureURL"),
            (#"{"picture":"/v1/pictures/people/a"}"#, "$.picture"), (#"{"username":null}"#, "$.username"),
            (#"{"username":"  "}"#, "$.username"), (#"{"username":"Ada"}"#, "$.username"),
            (#"{"username":"support"}"#, "$.username"), (#"{"username":"ada@example.org"}"#, "$.username"),
            (#"{"pushToken":"t"}"#, "$.pushToken"), (#"{"formerUsernameLeadsOn":1}"#, "$.formerUsernameLeadsOn"),
            (#"{"displayName":"a\u0007b"}"#, "$.displayName"),
            (#"{"displayName":"a\nb"}"#, "$.displayName"), (#"{"profileVisibility":"all"}"#, "$.profileVisibility"),
            (#"{"profileVisibility":null}"#, "$.profileVisibility"),
            (#"{"showListeningStats":"yes"}"#, "$.showListeningStats"), (#"{"isAdmin":true}"#, "$.isAdmin"),
            (#"{"bio":7}"#, "$.bio"), (#"{"bio":"\#(String(repeating: "b", count: 501))"}"#, "$.bio"),
        ])
    func refusedFields(body: String, field: String) async throws {
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

    @Test("A text over its limit is refused with its length and the limit of its field, however long it is")
    func lengths() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                for (field, limit) in [("username", 30), ("displayName", 100), ("bio", 500), ("homeCity", 100)] {
                    for length in [limit + 1, limit + 101, limit + 400] {
                        let text = String(repeating: "b", count: length)
                        let refused = try await patch(client, headers, #"{"\#(field)":"\#(text)"}"#)
                        #expect(refused.status == .unprocessableContent)
                        #expect(try refused.problem.code == "invalidField" && refused.problem.field == "$.\(field)")
                        let expected = "This text has \(length) characters; at most \(limit) are allowed."
                        #expect(String(buffer: refused.body).contains(expected), "\(field), \(length)")
                    }
                }
            }
        }
    }

    @Test("A username that somebody has is refused, however it is spelled, and a change is refused for 30 days")
    func uniqueUsernames() async throws {
        try await TestGateway.run { gateway in
            let ada = try await gateway.authorization("ada")
            _ = try await gateway.authorization("zo_e")
            try await gateway.withClient { client in
                for name in ["zo_e", "z.o_e", "zo_e."] {
                    let refused = try await patch(client, ada, #"{"username":"\#(name)"}"#)
                    #expect(try refused.status == .conflict && refused.problem.code == "usernameTaken")
                }
                let none = try await patch(client, ada, #"{"formerUsernameLeadsOn":true}"#)
                #expect(try none.status == .conflict && none.problem.code == "noFormerUsername")
                let renamed = try await patch(client, ada, #"{"username":"lovelace"}"#)
                #expect(renamed.status == .ok)
                let profile = try object(renamed)
                let former = try #require(profile["formerUsername"] as? [String: Any])
                #expect(former["username"] as? String == "ada" && former["leadsOn"] as? Bool == false)
                #expect(profile["usernameChangeableAt"] is String)
                // The cached user of the token is removed.
                let session = try await client.execute(uri: "/v1/session", method: .get, headers: ada)
                #expect(String(buffer: session.body).contains(#""name":"lovelace""#))
                let early = try await patch(client, ada, #"{"username":"byron"}"#)
                #expect(try early.status == .conflict && early.problem.code == "usernameChangedRecently")
                #expect(try early.problem.field == "$.username")
                let leading = try object(try await patch(client, ada, #"{"formerUsernameLeadsOn":true}"#))
                #expect((leading["formerUsername"] as? [String: Any])?["leadsOn"] as? Bool == true)
            }
        }
    }

    @Test("The services that a person has connected show in the profile")
    func connectedServices() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            try await gateway.database.write { transaction in
                let user = try #require(try transaction.accounts.user(named: "ada"))
                try transaction.run(
                    """
                    INSERT INTO connections (user_id, provider, state, account_id, account_user_id, change, updated_at)
                    VALUES (\(user.id), 'spotify', 'connected', 'acc-1', 'spotter', 1, 0),
                        (\(user.id), 'gemini', 'connected', NULL, NULL, 2, 0)
                    """)
            }
            try await gateway.withClient { client in
                let connected = try object(try await client.execute(uri: "/v1/me", method: .get, headers: headers))
                #expect(connected["spotifyId"] as? String == "spotter" && connected["spotifyLinked"] as? Bool == true)
                #expect(connected["geminiKeyConfigured"] as? Bool == true)
                try await gateway.database.write { transaction in
                    try transaction.run(
                        "UPDATE connections SET state = 'needsReconnect', reason = 'revoked' WHERE provider = 'spotify'"
                    )
                    try transaction.run("UPDATE connections SET state = 'of a later version' WHERE provider = 'gemini'")
                }
                let broken = try object(try await client.execute(uri: "/v1/me", method: .get, headers: headers))
                #expect(broken["spotifyId"] as? String == "spotter" && broken["spotifyLinked"] as? Bool == false)
                #expect(broken["geminiKeyConfigured"] as? Bool == false)
            }
        }
    }
}
