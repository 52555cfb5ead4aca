import Foundation
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import Visibility

@testable import Gateway

@Suite("Exports and erasures of shares")
struct ShareDataTests {
    @Test("An export names the songs to which a person has reacted only as long as they see the shares")
    func exportOfReactions() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            let id = try await people.share(1, as: "ada")
            let reacted = try await people.send(
                .put, "/v1/shares/\(id)/reaction", as: "bea", body: #"{"reaction":"heart"}"#)
            #expect(reacted.status == .noContent)
            let before = try await people.json("/v1/me/export", as: "bea")
            #expect((before["shareReactions"] as? [[String: Any]])?.first?["title"] as? String == "Eple")
            try await people.setVisibility(.private, of: "ada")
            let after = try await people.json("/v1/me/export", as: "bea")
            let reaction = try #require((after["shareReactions"] as? [[String: Any]])?.first)
            #expect(reaction["reaction"] as? String == "heart")
            #expect(reaction["title"] as? String == nil)
        }
    }

    @Test("An erasure deletes shares with what belongs to them, and corrects the counts of others")
    func erasure() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            let own = try await people.share(1, as: "ada")
            let other = try await people.share(1, "Poor Leno", as: "bea")
            for (id, name) in [(own, "bea"), (other, "ada")] {
                let response = try await people.send(
                    .put, "/v1/shares/\(id)/reaction", as: name, body: #"{"reaction":"heart"}"#)
                #expect(response.status == .noContent)
            }
            #expect(try await people.send(.post, "/v1/shares/\(own)/links", as: "ada", body: "{}").status == .created)
            let exported = try await people.json("/v1/me/export", as: "ada")
            #expect((exported["shares"] as? [[String: Any]])?.first?["title"] as? String == "Eple")
            #expect((exported["shareReactions"] as? [[String: Any]])?.first?["reaction"] as? String == "heart")
            let token = try #require(try people.headers(of: "ada")[.authorization]).dropFirst("Bearer ".count)
            let erased = try await people.send(
                .delete, "/v1/me", as: "ada", body: #"{"username":"ada","token":"\#(token)"}"#)
            #expect(erased.status == .noContent)
            let seen = try await people.json("/v1/shares/\(other)", as: "bea")
            #expect(((seen["reactions"] as? [String: Any])?["counts"] as? [String: Int])?["heart"] == 0)
            #expect(try await people.send(.get, "/v1/shares/\(own)", as: "bea").status == .notFound)
            for table in ["share_links", "share_acts", "share_receipts", "share_contents", "shares"] {
                let count = try await people.gateway.count(SQL(stringLiteral: "SELECT 1 FROM \(table)"))
                #expect(count == (["share_links"].contains(table) ? 0 : 1), "\(table)")
            }
        }
    }
}
