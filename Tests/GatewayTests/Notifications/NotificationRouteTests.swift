import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Model
import NIOCore
import Storage
import Testing
import Vault

@testable import Gateway

@Suite("Notifications in the API", .timeLimit(.minutes(5)))
struct NotificationRouteTests {
    private static let targetID = "01a229f1-a500-7000-8000-000000000001"

    private static func object(_ response: TestResponse) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any])
    }

    @Test("Who follows is in the list, with name and page, and is gone with a block")
    func list() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            try await people.follow("ada", as: "bea")
            try await people.follow("ada", as: "cleo")
            let page = try await people.json("/v1/notifications", as: "ada")
            let item = try #require((page["items"] as? [[String: Any]])?.first)
            #expect(
                Set(item.keys) == [
                    "id", "kind", "subject", "number", "count", "isMore", "people", "title", "body", "path", "at",
                    "isRead",
                ])
            #expect(item["kind"] as? String == "follow" && item["count"] as? Int == 2)
            #expect(item["title"] as? String == "cleo and bea follow you")
            #expect(item["path"] as? String == "/people/followers")
            #expect((item["people"] as? [[String: Any]])?.compactMap { $0["username"] as? String } == ["cleo", "bea"])
            #expect((page["unread"] as? [String: Any])?["count"] as? Int == 1)
            #expect(page["seq"] is Int && page["readMark"] is NSNull && page["nextCursor"] is NSNull)
            _ = try await people.send(.put, "/v1/users/cleo/block", as: "ada")
            let titles = try await people.items("/v1/notifications", as: "ada").map { $0["title"] as? String }
            #expect(titles == ["bea follows you"])
            _ = try await people.send(.delete, "/v1/users/ada/follow", as: "bea")
            #expect(try await people.items("/v1/notifications", as: "ada").isEmpty)
            let unread = try await people.json("/v1/notifications/unread", as: "ada")
            #expect(unread["count"] as? Int == 0 && unread["isMore"] as? Bool == false)
        }
    }

    @Test("A request is a notification until it is answered")
    func requests() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            try await people.setVisibility(.followers, of: "ada")
            try await people.follow("ada", as: "bea")
            let items = try await people.items("/v1/notifications", as: "ada")
            #expect(items.map { $0["title"] as? String } == ["bea asks to follow you"])
            _ = try await people.send(.put, "/v1/me/follow-requests/bea", as: "ada")
            #expect(try await people.items("/v1/notifications", as: "ada").isEmpty)
        }
    }

    @Test("The mark moves forward only, and a number beyond all changes is refused")
    func marks() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            try await people.follow("ada", as: "bea")
            let item = try #require(try await people.items("/v1/notifications", as: "ada").first)
            let number = try #require(item["number"] as? Int)
            func mark(_ body: String) async throws -> TestResponse {
                try await people.send(.put, "/v1/notifications/read-mark", as: "ada", body: body)
            }
            for wrong in ["{}", #"{"number":-1}"#, #"{"number":9007199254740992}"#, #"{"number":"1"}"#, "[]"] {
                #expect(try await mark(wrong).status == .unprocessableContent, "\(wrong)")
            }
            for sent in [number, 1] {
                let answer = try await mark(#"{"number":\#(sent)}"#)
                #expect(try Self.object(answer)["readMark"] as? Int == number)
            }
            let read = try #require(try await people.items("/v1/notifications", as: "ada").first)
            #expect(read["isRead"] as? Bool == true)
            for (body, status) in [
                (#"{"seq":1}"#, HTTPResponse.Status.noContent), (#"{"seq":1,"ids":["x","12"]}"#, .noContent),
                ("{}", .unprocessableContent), (#"{"seq":1,"ids":"1"}"#, .unprocessableContent),
            ] {
                let answer = try await people.send(.post, "/v1/notifications/seen", as: "ada", body: body)
                #expect(answer.status == status, "\(body)")
            }
        }
    }

    @Test("Settings change as far as the body says, and everything else is refused")
    func settings() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            let first = try await people.json("/v1/notifications/settings", as: "ada")
            let kinds = try #require(first["kinds"] as? [[String: Any]])
            #expect(Set(kinds.compactMap { $0["kind"] as? String }).isSuperset(of: ["follow", "reaction", "release"]))
            #expect(first["quietHours"] is NSNull && first["policy"] as? String == "anybody")
            #expect(first["timeZone"] as? String == "UTC")
            func change(_ body: String) async throws -> TestResponse {
                try await people.send(.put, "/v1/notifications/settings", as: "ada", body: body)
            }
            let changed = try Self.object(
                try await change(
                    #"{"kinds":[{"kind":"follow","channels":["page"]}],"quietHours":{"start":"22:00","end":"07:30"}}"#))
            #expect((changed["quietHours"] as? [String: String]) == ["start": "22:00", "end": "07:30"])
            let follow = try #require(changed["kinds"] as? [[String: Any]]).first { $0["kind"] as? String == "follow" }
            #expect(follow?["channels"] as? [String] == ["page"])
            let mutual = try Self.object(try await change(#"{"policy":"mutual"}"#))
            #expect(mutual["policy"] as? String == "mutual" && mutual["quietHours"] is [String: String])
            let none = try Self.object(try await change(#"{"quietHours":null}"#))
            #expect(none["quietHours"] is NSNull && none["policy"] as? String == "mutual")
            for wrong in [
                #"{"policy":"friends"}"#, #"{"quietHours":{"start":"22:00"}}"#, #"{"other":1}"#,
                #"{"quietHours":{"start":"22:00","end":"22:00"}}"#, #"{"quietHours":{"start":"24:00","end":"07:00"}}"#,
                #"{"quietHours":{"start":"2:00","end":"07:00"}}"#, #"{"kinds":[{"kind":"later","channels":[]}]}"#,
                #"{"kinds":[{"kind":"follow","channels":["pigeon"]}]}"#, #"{"kinds":[{"kind":"follow"}]}"#,
            ] {
                #expect(try await change(wrong).status == .unprocessableContent, "\(wrong)")
            }
        }
    }

    @Test("Targets that cannot be reached, or are none, are refused with the reason")
    func targets() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            func put(_ body: String, id: String = Self.targetID) async throws -> TestResponse {
                try await people.send(.put, "/v1/me/push-targets/\(id)", as: "ada", body: body)
            }
            for wrong in [
                "{}", #"{"ntfy":{"server":"https://ntfy.sh"}}"#, #"{"ntfy":{"server":"ftp://x","topic":"a"}}"#,
                #"{"ntfy":{"server":"https://127.0.0.1","topic":"a"}}"#,
                #"{"ntfy":{"server":"https://ntfy.sh","topic":"no/topic"}}"#,
                #"{"webPush":{"endpoint":"https://push.services.mozilla.com/x","keys":{"p256dh":"x","auth":"y"}}}"#,
                #"{"webPush":{"endpoint":"https://localhost/x"}}"#,
                #"{"webPush":{},"ntfy":{}}"#,
            ] {
                let answer = try await put(wrong)
                #expect(answer.status == .unprocessableContent, "\(wrong)")
                #expect(try Self.object(answer)["code"] as? String == "invalidField", "\(wrong)")
            }
            let ntfy = #"{"ntfy":{"server":"https://ntfy.sh","topic":"secret-topic","token":"tk_secret"}}"#
            #expect(try await put(ntfy, id: "x").status == .notFound)
            // No worker has made the vault's key, so that nothing can be sealed.
            #expect(try await put(ntfy).status == .serviceUnavailable)
            #expect(try await people.items("/v1/me/push-targets", as: "ada").isEmpty)
            for method in [HTTPRequest.Method.get, .delete] {
                let answer = try await people.send(method, "/v1/me/push-targets/\(Self.targetID)", as: "ada")
                #expect(answer.status == .notFound)
            }
            let key = try await people.json("/v1/notifications/web-push", as: "ada")
            #expect(key["state"] as? String == "noContact" && key["publicKey"] is NSNull)
        }
    }

    @Test("A topic that is added again is recognized, by a fingerprint that needs the key beside the database")
    func topics() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            try people.gateway.application.services.sealer.file.write(VaultKey.random().publicKey)
            func fingerprints(afterAdding number: Int) async throws -> [String] {
                let added = try await people.send(
                    .put, "/v1/me/push-targets/01a229f1-a500-7000-8000-00000000000\(number)", as: "ada",
                    body: #"{"ntfy":{"server":"https://ntfy.sh","topic":"backline"}}"#)
                #expect(added.status == .created)
                return try await people.items("/v1/me/push-targets", as: "ada").compactMap {
                    $0["fingerprint"] as? String
                }
            }
            let first = try await fingerprints(afterAdding: 1)
            #expect(first.count == 1 && first.allSatisfy { $0.utf8.count == 64 })
            #expect(try await fingerprints(afterAdding: 2) == first)
            try FileManager.default.removeItem(
                atPath: RecognitionKey.path(besideDatabase: people.gateway.database.path))
            #expect(Set(try await fingerprints(afterAdding: 3)).count == 2)
        }
    }

    @Test("The state of pushes is for administrators")
    func administrators() async throws {
        try await PeopleFixture.run(["ada", "root"], administrators: ["root"]) { people in
            #expect(try await people.send(.get, "/v1/admin/pushes", as: "ada").status == .forbidden)
            let state = try await people.json("/v1/admin/pushes", as: "root")
            #expect(Set(state.keys) == ["webPush", "waiting", "oldestWaitingSeconds", "targets", "refusing"])
            #expect(state["waiting"] as? Int == 0 && (state["refusing"] as? [Any])?.isEmpty == true)
        }
    }

    @Test("Changes name what is new, and what is gone")
    func changes() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            func lines(_ path: String) async throws -> [[String: Any]] {
                let answer = try await people.send(.get, path, as: "ada")
                return try String(buffer: answer.body).split(separator: "\n").compactMap {
                    try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
                }
            }
            let since = try #require(try await lines("/v1/changes").last?["since"] as? String)
            func kinds() async throws -> [(kind: String?, isGone: Bool)] {
                try await lines("/v1/changes?since=\(since)").compactMap { change in
                    let kind = change["kind"] as? String
                    return kind?.hasPrefix("notification") == true ? (kind, change["gone"] as? Bool == true) : nil
                }
            }
            try await people.follow("ada", as: "bea")
            let new = try await kinds()
            #expect(new.map(\.kind) == ["notification"] && new.map(\.isGone) == [false])
            _ = try await people.send(.put, "/v1/users/bea/block", as: "ada")
            let gone = try await kinds()
            #expect(gone.map(\.isGone) == [true])
        }
    }
}
