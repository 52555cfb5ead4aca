import Foundation
import NIOHTTP1
import TestProcesses
import TestSupport
import Testing

@Suite("Blocking somebody who has two devices", .timeLimit(.minutes(20)))
struct BlockingTests {
    private struct Page: Decodable, Sendable {
        struct Card: Decodable, Sendable {
            var id: String
            var username: String
        }

        var items: [Card]
        var nextCursor: String?
        var seq: Int
    }

    private struct Gone: Equatable {
        var kind: String
        var id: String
        var number: Int
    }

    private static let others = ["cleo", "dora", "eve", "fay"]

    private func page(_ person: APIClient, _ query: String) async throws -> Page {
        try await person.get("/v1/me/following?\(query)").decode()
    }

    private func gone(in stream: EventStream) -> [Gone] {
        stream.events.filter { $0.name == "gone" }.compactMap { event in
            guard let kind = event.json?["kind"]?.text, let id = event.json?["id"]?.text, let number = event.change
            else { return nil }
            return Gone(kind: kind, id: id, number: number)
        }
    }

    @Test("A block reaches earlier and later pages, streams and offline devices, although the gateway is killed")
    func blockWhilePaging() async throws {
        try await Installation.run { installation in
            let gateway = try await installation.startGateway()
            let (ada, ben) = (try await installation.addUser("ada"), try await installation.addUser("ben"))
            // Ben is on the last page of the newest.
            #expect(try await ada.send(.PUT, "/v1/users/ben/follow").status == 200)
            for name in Self.others {
                _ = try await installation.addUser(name)
                #expect(try await ada.send(.PUT, "/v1/users/\(name)/follow").status == 200)
            }
            #expect(try await ben.send(.PUT, "/v1/users/ada/follow").status == 200)
            let benID = try #require(try await ben.get("/v1/me").decode(JSON.self)["id"]?.text)

            // The phone is offline from here on, and the computer reads the lists.
            let phone = try #require(try await lines(of: ada, since: nil).last?["since"]?.text)
            let stream = try await EventStream.open(ada)
            let whole = try await page(ada, "limit=100")
            #expect(whole.items.map(\.username) == Self.others.reversed() + ["ben"])
            let first = try await page(ada, "limit=2")

            #expect(try await ben.send(.PUT, "/v1/users/ada/block").status == 204)
            gateway.kill()
            try await gateway.waitForEnd()
            try await eventually("the end of the stream") { stream.hasEnded }
            try await installation.startGateway()

            // Some of it may have come before the end.
            let isCut = stream.position?.hasSuffix(".") == true
            let again = try await EventStream.open(ada, lastEventID: stream.position)
            let told = try await eventually("the end of ben") { () -> [Gone]? in
                // His follow was notified of, too.
                let all = (gone(in: stream) + gone(in: again)).filter { $0.kind != "notification" }
                return all.contains { $0.kind == "person" && $0.id == benID } ? all : nil
            }
            // One change, of which what has come comes again if the stream was cut within it.
            #expect(told.map(\.kind) == (isCut ? ["itemsOf", "itemsOf", "person"] : ["itemsOf", "person"]))
            #expect(told.allSatisfy { $0.id == benID } && Set(told.map(\.number)).count == 1)
            // A page that was read before the block and arrives only now loses him.
            #expect(told.allSatisfy { $0.number > whole.seq && $0.number > first.seq })

            var names = first.items.map(\.username)
            var cursor = first.nextCursor
            while let next = cursor {
                let page = try await page(ada, "limit=2&cursor=\(next)")
                names += page.items.map(\.username)
                cursor = page.nextCursor
            }
            #expect(names == Self.others.reversed())

            let missed = try await lines(of: ada, since: phone)
            #expect(missed.last?["end"] != nil)
            let about = missed.filter { $0["id"] == .string(benID) }
            #expect(about.allSatisfy { $0["gone"] == .bool(true) })
            #expect(about.compactMap { $0["kind"]?.text } == ["itemsOf", "person"])
            again.close()

            try await expectNobody(ada)
            // The follows do not come back.
            #expect(try await ben.send(.DELETE, "/v1/users/ada/block").status == 204)
            let profile = try await ada.get("/v1/users/ben").decode(JSON.self)
            #expect(profile["follow"] == "none" && profile["followsMe"] == .bool(false))
            #expect(profile["counts"] == .object(["followers": 0, "following": 0]))
        }
    }

    /// Who has blocked Ada looks to her like nobody.
    private func expectNobody(_ ada: APIClient) async throws {
        let requests: [(HTTPMethod, String)] = [(.GET, ""), (.PUT, "/follow"), (.DELETE, "/follow"), (.PUT, "/block")]
        for (method, path) in requests {
            let blocked = try await ada.send(method, "/v1/users/ben\(path)")
            let unknown = try await ada.send(method, "/v1/users/nobody\(path)")
            #expect(blocked.status == 404 && blocked.body == unknown.body, "\(method) \(path)")
        }
        #expect(try await ada.get("/v1/users?q=ben").decode(JSON.self)["items"] == .array([]))
        // His name is taken like anybody's.
        func take(_ name: String) async throws -> APIResponse {
            try await ada.send(.PATCH, "/v1/me", body: Array(#"{"username":"\#(name)"}"#.utf8))
        }
        let (taken, other) = (try await take("ben"), try await take("cleo"))
        #expect(taken.status == 409 && taken.body == other.body)
    }

    private func lines(of person: APIClient, since: String?) async throws -> [JSON] {
        let response = try await person.get("/v1/changes" + (since.map { "?since=\($0)" } ?? ""))
        return try String(decoding: response.body, as: UTF8.self).split(separator: "\n").map {
            try JSONDecoder().decode(JSON.self, from: Data($0.utf8))
        }
    }
}
