import Foundation
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import Timeline
import Visibility

@testable import Gateway

@Suite("The number of unread items in the API", .timeLimit(.minutes(5)))
struct UnreadRouteTests {
    @Test("It counts up to the limit, and says that there are more, which mark it counted from, and of which change")
    func limits() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            try await people.recommend(25, to: "ada")
            for (query, count, isMore) in [("", 25, false), ("?limit=25", 25, false), ("?limit=24", 24, true)] {
                let answer = try await people.json("/v1/feed/unread\(query)", as: "ada")
                #expect(answer["count"] as? Int == count && answer["isMore"] as? Bool == isMore, "\(query)")
                #expect(answer["readMark"] is NSNull)
            }
            for query in ["limit=0", "limit=101", "limit=x"] {
                let refused = try await people.send(.get, "/v1/feed/unread?\(query)", as: "ada")
                #expect(refused.status == .unprocessableContent, "\(query)")
            }
            let page = try await people.json("/v1/feed?limit=4", as: "ada")
            let third = try #require((page["items"] as? [[String: Any]])?[2])
            let mark = #"{"score":\#(third["sortScore"] as? Int ?? 0),"number":\#(third["number"] as? Int ?? 0)}"#
            #expect(try await people.send(.put, "/v1/feed/read-mark", as: "ada", body: mark).status == .ok)
            let before = try await people.json("/v1/feed/unread?limit=20", as: "ada")
            #expect(before["count"] as? Int == 2 && before["isMore"] as? Bool == false)
            #expect((before["readMark"] as? [String: Any])?["number"] as? Int == third["number"] as? Int)
            // What arrives has a number above that of the answer, by which a client counts it.
            let seq = try #require(before["seq"] as? Int)
            #expect(try #require(page["items"] as? [[String: Any]]).allSatisfy { $0["number"] as? Int ?? 0 <= seq })
            try await people.recommend(1, to: "ada")
            let new = try #require(try await people.items("/v1/feed", as: "ada").first)
            #expect(new["number"] as? Int ?? 0 > seq)
            #expect(try await people.json("/v1/feed/unread", as: "ada")["count"] as? Int == 3)
        }
    }

    @Test("It counts what the person may see, and nothing that they hid or muted")
    func visibility() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            for name in ["bea", "cleo"] { try await people.follow(name, as: "ada") }
            let share = try await people.share(1, as: "bea")
            _ = try await people.share(1, "Poor Leno", as: "cleo")
            func count() async throws -> Int? {
                try await people.json("/v1/feed/unread", as: "ada")["count"] as? Int
            }
            #expect(try await count() == 2)
            try await people.setVisibility(.private, of: "cleo")
            #expect(try await count() == 1)
            #expect(try await people.send(.put, "/v1/feed/hidden/share/\(share)", as: "ada").status == .noContent)
            #expect(try await count() == 0)
            #expect(try await people.send(.delete, "/v1/feed/hidden/share/\(share)", as: "ada").status == .noContent)
            #expect(try await people.send(.put, "/v1/users/bea/block", as: "ada").status == .noContent)
            #expect(try await count() == 0)
        }
    }

    @Test("It looks at a bounded number of items, and says then that there may be more")
    func bound() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            try await people.recommend(250, to: "ada")
            let userID = try people.id(of: "ada")
            try await people.gateway.database.write { transaction in
                let person = try #require(try transaction.visibility.key(ofUser: userID))
                for row in try transaction.rows("SELECT list_id, position FROM recommended_songs") {
                    let id = "\(try row["list_id"] as String)-\(try row["position"] as Int)"
                    try transaction.run(
                        """
                        INSERT INTO feed_hidden_items (person, kind, item, hidden_at, change)
                        VALUES (\(person), \(TimelineKind.recommendation), \(id), 0, \(try transaction.nextChange()))
                        """)
                }
            }
            let answer = try await people.json("/v1/feed/unread", as: "ada")
            #expect(answer["count"] as? Int == 0 && answer["isMore"] as? Bool == true)
        }
    }
}
