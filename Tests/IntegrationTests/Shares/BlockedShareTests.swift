import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("Blocking somebody who reads one's shares", .timeLimit(.minutes(20)))
struct BlockedShareTests {
    private struct Page: Decodable, Sendable {
        struct Item: Decodable, Sendable {
            struct Share: Decodable, Sendable {
                struct Sender: Decodable, Sendable { var username: String }

                var id: String
                var sender: Sender
            }

            var kind: String
            var id: String
            var share: Share?
        }

        var items: [Item]
        var nextCursor: String?
        var seq: Int
    }

    private struct Listens: Decodable, Sendable {
        struct Listen: Decodable, Sendable { var id: String }

        var items: [Listen]
    }

    private struct Share: Decodable, Sendable { var id: String }

    private struct Reactions: Decodable, Sendable {
        struct Reactor: Decodable, Sendable {}

        var items: [Reactor]
        var others: Int
    }

    private struct Unread: Decodable, Sendable {
        var count: Int
        var isMore: Bool
    }

    /// Shares songs that a person has played.
    private func share(_ count: Int, by person: APIClient) async throws -> [String] {
        let plays = (0..<count).map { number in
            #"{"listened_at":\#(1_700_000_000 + 300 * number),"track_metadata":{"artist_name":"Air","track_name":"\#(number)"}}"#
        }
        let body = #"{"listen_type":"import","payload":[\#(plays.joined(separator: ","))]}"#
        #expect(try await person.send(.POST, "/1/submit-listens", body: Array(body.utf8)).status == 200)
        let listens: Listens = try await person.get("/v1/listening/listens?limit=100").decode()
        #expect(listens.items.count == count)
        var ids: [String] = []
        for listen in listens.items {
            let song = Array(#"{"song":{"listenId":"\#(listen.id)"}}"#.utf8)
            let share: Share = try await person.send(
                .PUT, "/v1/shares/\(UUID().uuidString.lowercased())", body: song
            ).decode()
            ids.append(share.id)
        }
        return ids
    }

    private func page(_ person: APIClient, _ query: String) async throws -> Page {
        try await person.get("/v1/feed?\(query)").decode()
    }

    private func lines(of person: APIClient, since: String?) async throws -> [JSON] {
        let response = try await person.get("/v1/changes" + (since.map { "?since=\($0)" } ?? ""))
        return try String(decoding: response.body, as: UTF8.self).split(separator: "\n").map {
            try JSONDecoder().decode(JSON.self, from: Data($0.utf8))
        }
    }

    @Test("A block takes all shares from pages, streams and offline devices, although the gateway is killed")
    func blockWhilePaging() async throws {
        try await Installation.run { installation in
            let gateway = try await installation.startGateway()
            let (ada, ben) = (try await installation.addUser("ada"), try await installation.addUser("ben"))
            let cleo = try await installation.addUser("cleo")
            for name in ["ben", "cleo"] {
                #expect(try await ada.send(.PUT, "/v1/users/\(name)/follow").status == 200)
            }
            let benID = try #require(try await ben.get("/v1/me").decode(JSON.self)["id"]?.text)
            let ofCleo = try await share(6, by: cleo)
            let ofBen = try await share(30, by: ben)
            let reaction = Array(#"{"reaction":"heart"}"#.utf8)
            #expect(try await ada.send(.PUT, "/v1/shares/\(ofBen[0])/reaction", body: reaction).status == 204)

            // The phone is offline from here on, and the computer reads the feed.
            let phone = try #require(try await lines(of: ada, since: nil).last?["since"]?.text)
            let stream = try await EventStream.open(ada)
            let first = try await page(ada, "limit=10")
            #expect(first.items.allSatisfy { $0.share?.sender.username == "ben" } && first.items.count == 10)

            #expect(try await ben.send(.PUT, "/v1/users/ada/block").status == 204)
            gateway.kill()
            try await gateway.waitForEnd()
            try await eventually("the end of the stream") { stream.hasEnded }
            try await installation.startGateway()

            // The page was read before the block, and loses all of it whenever it arrives.
            let again = try await EventStream.open(ada, lastEventID: stream.position)
            let number = try await eventually("the end of ben's items") { () -> Int? in
                (stream.events + again.events).first {
                    $0.name == "gone" && $0.json?["kind"]?.text == "itemsOf" && $0.json?["id"]?.text == benID
                }?.change
            }
            #expect(number > first.seq)
            again.close()

            // The next page goes on from there with what others shared, and is full or the last.
            let rest = try await page(ada, "limit=10&cursor=\(try #require(first.nextCursor))")
            #expect(rest.items.compactMap(\.share?.id) == ofCleo.reversed() && rest.nextCursor == nil)
            #expect(try await page(ada, "limit=50").items.compactMap(\.share?.id) == ofCleo.reversed())
            let unread: Unread = try await ada.get("/v1/feed/unread").decode()
            #expect(unread.count == ofCleo.count && !unread.isMore)

            let missed = try await lines(of: ada, since: phone)
            #expect(missed.last?["end"] != nil)
            #expect(missed.contains { $0["kind"]?.text == "itemsOf" && $0["id"]?.text == benID })
            #expect(!missed.contains { $0["kind"]?.text == "feedItem" && $0["item"] != nil })

            // Neither sees the other's part in it, and the reaction is not gone for good.
            for path in ["", "/reactions", "/song"] {
                #expect(try await ada.get("/v1/shares/\(ofBen[0])\(path)").status == 404, "\(path)")
            }
            func reactions() async throws -> Reactions {
                try await ben.get("/v1/shares/\(ofBen[0])/reactions").decode()
            }
            let hidden = try await reactions()
            #expect(hidden.items.isEmpty && hidden.others == 0)
            #expect(try await ben.send(.DELETE, "/v1/users/ada/block").status == 204)
            let shown = try await reactions()
            #expect(shown.items.count == 1 && shown.others == 0)
            // The follow does not come back, and neither do the shares.
            #expect(try await page(ada, "limit=50").items.compactMap(\.share?.id) == ofCleo.reversed())
        }
    }
}
