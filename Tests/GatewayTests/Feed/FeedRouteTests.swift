import Foundation
import HTTPTypes
import HummingbirdTesting
import Model
import NIOCore
import Storage
import Testing
import Timeline
import Visibility

@testable import Gateway

@Suite("The feed in the API", .timeLimit(.minutes(5)))
struct FeedRouteTests {
    private static func ids(_ page: [String: Any]) throws -> [String] {
        try #require(page["items"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    }

    @Test("A new follower is an item, once for each pair, as long as the follow lasts")
    func follows() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            try await people.follow("ada", as: "bea")
            try await people.follow("ada", as: "cleo")
            let page = try await people.json("/v1/feed", as: "ada")
            let items = try #require(page["items"] as? [[String: Any]])
            #expect(try Self.ids(page) == [try people.id(of: "cleo"), try people.id(of: "bea")])
            let item = try #require(items.first)
            #expect(
                Set(item.keys) == ["kind", "id", "sortScore", "number", "foldKey", "at", "follow"])
            let person = try #require((item["follow"] as? [String: Any])?["person"] as? [String: Any])
            #expect(person["username"] as? String == "cleo" && person["followsMe"] as? Bool == true)
            #expect(page["seq"] is Int && page["nextCursor"] is NSNull && page["readMark"] is NSNull)
            let place = try #require(item["sortScore"] as? Int)
            _ = try await people.send(.delete, "/v1/users/ada/follow", as: "cleo")
            #expect(try Self.ids(try await people.json("/v1/feed", as: "ada")) == [try people.id(of: "bea")])
            try await people.follow("ada", as: "cleo")
            let again = try await people.json("/v1/feed", as: "ada")
            #expect(try Self.ids(again) == [try people.id(of: "cleo"), try people.id(of: "bea")])
            #expect((again["items"] as? [[String: Any]])?.first?["sortScore"] as? Int == place)
            _ = try await people.send(.put, "/v1/users/cleo/block", as: "ada")
            #expect(try Self.ids(try await people.json("/v1/feed", as: "ada")) == [try people.id(of: "bea")])
        }
    }

    @Test("Pages follow each other by their cursor, and refuse any other and one of another list")
    func pages() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            try await people.recommend(25, to: "ada")
            try await people.follow("ada", as: "bea")
            var (ids, cursor, sizes): ([String], String?, [Int]) = ([], nil, [])
            repeat {
                let page = try await people.json("/v1/feed" + (cursor.map { "?cursor=\($0)" } ?? ""), as: "ada")
                let found = try Self.ids(page)
                #expect(page.keys.contains("newSince") == (cursor == nil))
                ids += found
                sizes.append(found.count)
                cursor = page["nextCursor"] as? String
            } while cursor != nil
            #expect(sizes == [20, 6] && Set(ids).count == 26)
            #expect(ids.first == (try people.id(of: "bea")))
            let lists = try await people.json("/v1/feed?limit=3", as: "ada")
            let text = try #require(lists["nextCursor"] as? String)
            for wrong in ["x", "", text + "0", String(text.dropLast()), "1.2~00000000"] {
                let answer = try await people.send(.get, "/v1/feed?cursor=\(wrong)", as: "ada")
                #expect(answer.status == .unprocessableContent, "\(wrong)")
            }
            for limit in ["0", "51", "x", "-1", "99999999999999999999"] {
                let answer = try await people.send(.get, "/v1/feed?limit=\(limit)", as: "ada")
                #expect(answer.status == .unprocessableContent, "\(limit)")
            }
            // A cursor is a position, and gives nobody the items of another person.
            #expect(try Self.ids(try await people.json("/v1/feed?cursor=\(text)", as: "bea")) == [])
        }
    }

    @Test("The mark moves up only, is in every page, and says what is unread")
    func readMark() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            try await people.recommend(5, to: "ada")
            func unread() async throws -> Int? {
                try await people.json("/v1/feed/unread", as: "ada")["count"] as? Int
            }
            #expect(try await unread() == 5)
            let items = try await people.items("/v1/feed", as: "ada")
            func mark(_ index: Int) async throws -> [String: Any] {
                let item = items[index]
                let (score, number) = (item["sortScore"] as? Int ?? 0, item["number"] as? Int ?? 0)
                let answer = try await people.send(
                    .put, "/v1/feed/read-mark", as: "ada", body: #"{"score":\#(score),"number":\#(number)}"#)
                #expect(answer.status == .ok)
                let body = try JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView))
                return try #require((body as? [String: Any])?["readMark"] as? [String: Any])
            }
            let third = try await mark(2)
            #expect(third["number"] as? Int == items[2]["number"] as? Int)
            #expect(try await unread() == 2)
            // An earlier item, from a device that is behind.
            #expect(try await mark(4)["number"] as? Int == items[2]["number"] as? Int)
            let page = try await people.json("/v1/feed", as: "ada")
            let new = try #require(page["newSince"] as? [String: Any])
            #expect(new["count"] as? Int == 2 && new["isMore"] as? Bool == false)
            #expect((page["readMark"] as? [String: Any])?["number"] as? Int == items[2]["number"] as? Int)
            #expect(try await mark(0)["number"] as? Int == items[0]["number"] as? Int)
            #expect(try await unread() == 0)
        }
    }

    @Test(
        "A mark that is no position of an item is refused",
        arguments: [
            #"{}"#, #"{"score":1}"#, #"{"number":1}"#, #"{"score":-1,"number":1}"#, #"{"score":1.5,"number":1}"#,
            #"{"score":1,"number":-1}"#, #"{"score":99999999999999,"number":1}"#, #"{"score":"1","number":1}"#,
            #"{"score":1,"number":1e400}"#, #"{"score":1,"number":1,"id":"x"}"#, #"[]"#, #""#,
        ])
    func invalidMarks(body: String) async throws {
        try await PeopleFixture.run(["ada"]) { people in
            let answer = try await people.send(.put, "/v1/feed/read-mark", as: "ada", body: body)
            #expect([.badRequest, .unprocessableContent].contains(answer.status))
            #expect(try await people.json("/v1/feed", as: "ada")["readMark"] is NSNull)
        }
    }

    @Test("Hiding and muting may be repeated and undone, and do not concern others")
    func hiding() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            for name in ["ada", "bea"] { try await people.recommend(3, to: name) }
            let ids = try Self.ids(try await people.json("/v1/feed", as: "ada"))
            let hidden = "/v1/feed/hidden/recommendation/\(ids[1])"
            for _ in 0..<2 { #expect(try await people.send(.put, hidden, as: "ada").status == .noContent) }
            #expect(try Self.ids(try await people.json("/v1/feed", as: "ada")) == [ids[0], ids[2]])
            #expect(try Self.ids(try await people.json("/v1/feed", as: "bea")).count == 3)
            let list = try await people.items("/v1/feed/hidden", as: "ada")
            #expect(list.count == 1 && list[0]["id"] as? String == ids[1])
            #expect(list[0]["kind"] as? String == "recommendation")
            #expect(try await people.items("/v1/feed/hidden", as: "bea").isEmpty)
            for _ in 0..<2 { #expect(try await people.send(.delete, hidden, as: "ada").status == .noContent) }
            #expect(try Self.ids(try await people.json("/v1/feed", as: "ada")) == ids)

            let muted = "/v1/feed/muted-kinds/recommendation"
            for _ in 0..<2 { #expect(try await people.send(.put, muted, as: "ada").status == .noContent) }
            #expect(try Self.ids(try await people.json("/v1/feed", as: "ada")) == [])
            let kinds = try await people.json("/v1/feed/muted-kinds", as: "ada")["kinds"] as? [String]
            #expect(kinds == ["recommendation"])
            #expect(try Self.ids(try await people.json("/v1/feed", as: "bea")).count == 3)
            #expect(try await people.send(.delete, muted, as: "ada").status == .noContent)
            #expect(try Self.ids(try await people.json("/v1/feed", as: "ada")) == ids)

            for path in [
                "/v1/feed/muted-kinds/nothing", "/v1/feed/hidden/nothing/1", "/v1/feed/hidden/share/%00",
                "/v1/feed/hidden/share/%FF", "/v1/feed/hidden/share/\(String(repeating: "x", count: 201))",
            ] {
                let answer = try await people.send(.put, path, as: "ada")
                #expect(try answer.status == .notFound && answer.problem.code == "notFound", "\(path)")
            }
        }
    }

    @Test("Changes since a page have what is new and gone, and a reset after a follow")
    func changes() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            try await people.recommend(2, to: "ada")
            let page = try await people.json("/v1/feed", as: "ada")
            let ids = try Self.ids(page)
            let seq = try #require(page["seq"] as? Int)
            _ = try await people.send(.put, "/v1/feed/hidden/recommendation/\(ids[0])", as: "ada")
            try await people.follow("ada", as: "bea")
            func lines(_ query: String) async throws -> [[String: Any]] {
                let answer = try await people.send(.get, "/v1/changes?kinds=feedItem\(query)", as: "ada")
                #expect(answer.status == .ok)
                return try String(buffer: answer.body).split(separator: "\n").map { line in
                    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                }
            }
            let found = try await lines("&since=\(seq)")
            let bea = try people.id(of: "bea")
            #expect(found.compactMap { $0["id"] as? String } == ["recommendation:\(ids[0])", "follow:\(bea)"])
            #expect(found.first?["gone"] as? Bool == true)
            #expect((found.dropFirst().first?["item"] as? [String: Any])?["kind"] as? String == "follow")
            // Who has nothing reads pages.
            #expect(try await lines("").count == 1)
            let since = try #require(found.last?["end"] as? Int)
            try await people.follow("bea", as: "ada")
            let reset = try await lines("&since=\(since)")
            #expect(reset.contains { $0["reset"] as? [String] == ["feedItem"] })
            // An unfollow takes everything of the person along.
            let then = try #require(reset.last?["end"] as? Int)
            _ = try await people.send(.delete, "/v1/users/bea/follow", as: "ada")
            let gone = try await lines("&since=\(then)")
            #expect(gone.contains { $0["kind"] as? String == "itemsOf" && $0["id"] as? String == bea })
        }
    }

    @Test("A part that fails leaves the feed, which says what is missing and how far the others are")
    func status() async throws {
        struct Broken: Error {}
        try await PeopleFixture.run(["ada"]) { people in
            try await people.recommend(1, to: "ada")
            let missing = Problem.recovering(
                .fixConfiguration,
                Problem(.serviceUnavailable, code: .notReached, title: "No concerts", detail: "Connect Ticketmaster."))
            people.gateway.application.services.feeds.add(of: [
                GatewayDomain(
                    "parts",
                    feedRefreshSources: [
                        FeedRefreshSource("broken") { _, _ in throw Broken() },
                        FeedRefreshSource("whole") { _, _ in
                            FeedRefresh(
                                parts: [
                                    FeedRefreshPart("first", .running, done: 3, total: 7),
                                    FeedRefreshPart("second", .waiting),
                                ], missing: [missing])
                        },
                    ])
            ])
            let page = try await people.json("/v1/feed", as: "ada")
            #expect(try Self.ids(page).count == 1)
            let lacks = try #require(page["missing"] as? [[String: Any]])
            let broken = try #require(lacks.first { $0["source"] as? String == "broken" })
            #expect(broken["code"] as? String == "feedSourceFailed")
            let whole = try #require(lacks.first { $0["source"] as? String == "whole" })
            #expect(whole["code"] as? String == "notReached" && whole["recovery"] as? String == "fixConfiguration")
            let parts = try #require(page["refresh"] as? [[String: Any]])
            let first = try #require(parts.first { $0["part"] as? String == "first" })
            #expect(first["state"] as? String == "running" && first["done"] as? Int == 3 && first["total"] as? Int == 7)
            let second = try #require(parts.first { $0["part"] as? String == "second" })
            #expect(second["state"] as? String == "waiting" && second["done"] == nil)
        }
    }

    @Test("The first page of a person notes the opening, once a day; later pages do not")
    func opening() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            try await people.recommend(3, to: "ada")
            func openings() async throws -> Int { try await people.gateway.count("SELECT 1 FROM feed_openings") }
            _ = try await people.json("/v1/feed/unread", as: "ada")
            #expect(try await openings() == 0)
            let page = try await people.json("/v1/feed?limit=1", as: "ada")
            #expect(try await openings() == 1)
            let cursor = try #require(page["nextCursor"] as? String)
            try await people.gateway.database.write { try $0.run("DELETE FROM feed_openings") }
            _ = try await people.json("/v1/feed?limit=1&cursor=\(cursor)", as: "ada")
            #expect(try await openings() == 0)
        }
    }
}
