import Foundation
import HTTPTypes
import HummingbirdTesting
import Model
import Storage
import Testing
import Timeline
import Visibility

@testable import Gateway

@Suite("Hidden items in the API", .timeLimit(.minutes(5)))
struct HiddenItemTests {
    private static func hide(_ kind: String, _ id: String, as name: String, _ people: PeopleFixture) async throws {
        #expect(try await people.send(.put, "/v1/feed/hidden/\(kind)/\(id)", as: name).status == .noContent)
    }

    private static func hidden(of name: String, _ people: PeopleFixture) async throws -> [[String: Any]] {
        try await people.items("/v1/feed/hidden", as: name)
    }

    @Test("Each hidden item has what its person may see of it at this moment, and the latest is first")
    func contents() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            try await people.follow("bea", as: "ada")
            try await people.follow("ada", as: "cleo")
            try await people.recommend(2, to: "ada")
            let share = try await people.share(as: "bea")
            let feed = try await people.items("/v1/feed", as: "ada")
            let recommended = try #require(feed.first { $0["kind"] as? String == "recommendation" })
            let recommendation = try #require(recommended["id"] as? String)
            let cleo = try people.id(of: "cleo")
            try await Self.hide("recommendation", recommendation, as: "ada", people)
            try await Self.hide("follow", cleo, as: "ada", people)
            try await Self.hide("share", share, as: "ada", people)

            let all = try await Self.hidden(of: "ada", people)
            #expect(all.map { $0["kind"] as? String } == ["share", "follow", "recommendation"])
            let last = try await people.gateway.database.read { try $0.lastChange() }
            let page = try await people.json("/v1/feed/hidden", as: "ada")
            #expect(page["seq"] as? Int == Int(last), "later changes apply to the list")
            #expect(all.map { $0["id"] as? String } == [share, cleo, recommendation])
            let shown = try #require(all[0]["share"] as? [String: Any])
            #expect((shown["song"] as? [String: Any])?["title"] as? String == "Eple")
            #expect((shown["sender"] as? [String: Any])?["username"] as? String == "bea")
            let follower = try #require((all[1]["follow"] as? [String: Any])?["person"] as? [String: Any])
            #expect(follower["username"] as? String == "cleo")
            let song = try #require((all[2]["recommendation"] as? [String: Any])?["track"] as? [String: Any])
            let own = try #require((recommended["recommendation"] as? [String: Any])?["track"] as? [String: Any])
            #expect(song["id"] as? String == own["id"] as? String)

            // What the person may not see any longer, and what is gone, is there with its id alone.
            try await people.setVisibility(.private, of: "bea")
            #expect(try await people.send(.put, "/v1/users/cleo/block", as: "ada").status == .noContent)
            let left = try await Self.hidden(of: "ada", people)
            #expect(left.map { Set($0.keys) }[0] == ["kind", "id", "hiddenAt"])
            #expect(left[1]["follow"] == nil && left[2]["recommendation"] != nil)
            try await people.setVisibility(.public, of: "bea")
            #expect(try await Self.hidden(of: "ada", people)[0]["share"] != nil)
            #expect(try await people.send(.delete, "/v1/shares/\(share)", as: "bea").status == .noContent)
            #expect(try await Self.hidden(of: "ada", people)[0]["share"] == nil)
            #expect(try await Self.hidden(of: "bea", people).isEmpty)
        }
    }

    @Test("Nobody learns anything of an item by hiding an id that they know or made up")
    func foreignItems() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            try await people.recommend(1, to: "bea")
            let ofBea = try #require(try await people.items("/v1/feed", as: "bea").first?["id"] as? String)
            try await people.setVisibility(.private, of: "bea")
            let share = try await people.share(as: "bea")
            let bea = try people.id(of: "bea")
            let ids = [
                ("recommendation", ofBea), ("share", share), ("follow", bea), ("share", "x"), ("concert", "a.b.1"),
                ("release", "none"), ("comingShows", "-1"), ("recommendation", "list-99999999999999999999"),
            ]
            for (kind, id) in ids { try await Self.hide(kind, id, as: "ada", people) }
            let all = try await Self.hidden(of: "ada", people)
            #expect(all.count == ids.count)
            #expect(all.allSatisfy { Set($0.keys) == ["kind", "id", "hiddenAt"] })
            // Whatever the list names can be shown again.
            for item in all {
                let path = "/v1/feed/hidden/\(item["kind"] as? String ?? "")/\(item["id"] as? String ?? "")"
                #expect(try await people.send(.delete, path, as: "ada").status == .noContent, "\(path)")
            }
            #expect(try await Self.hidden(of: "ada", people).isEmpty)
        }
    }

    @Test("Pages follow each other by their cursor, and refuse any other")
    func pages() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            try await people.recommend(25, to: "ada")
            let ids = try await people.items("/v1/feed?limit=50", as: "ada").compactMap { $0["id"] as? String }
            for id in ids { try await Self.hide("recommendation", id, as: "ada", people) }
            try await Self.hide("release", "gone", as: "ada", people)
            var (found, cursor, sizes): ([String], String?, [Int]) = ([], nil, [])
            repeat {
                let page = try await people.json(
                    "/v1/feed/hidden?limit=10" + (cursor.map { "&cursor=\($0)" } ?? ""), as: "ada")
                let items = try #require(page["items"] as? [[String: Any]])
                #expect(items.allSatisfy { $0["kind"] as? String == "release" || $0["recommendation"] != nil })
                #expect((page["missing"] as? [Any])?.isEmpty == true)
                found += items.compactMap { $0["id"] as? String }
                sizes.append(items.count)
                cursor = page["nextCursor"] as? String
            } while cursor != nil
            #expect(sizes == [10, 10, 6] && found == ["gone"] + ids.reversed())
            for query in ["limit=0", "limit=101", "cursor=x"] {
                let refused = try await people.send(.get, "/v1/feed/hidden?\(query)", as: "ada")
                #expect(refused.status == .unprocessableContent, "\(query)")
            }
        }
    }
}
