import Foundation
import HTTPTypes
import HummingbirdTesting
import Model
import Testing
import Visibility

@testable import Gateway

@Suite("The stats of another person in the API")
struct PersonStatsRouteTests {
    private static let listen = """
        {"listen_type":"single","payload":[{"listened_at":1764500000,"track_metadata":
        {"artist_name":"Massive Attack","track_name":"Teardrop"}}]}
        """

    @Test("Who may see the stats gets them without time zone and ids of songs; everybody else what nobody's name gets")
    func whoSees() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            let sent = try await people.send(.post, "/1/submit-listens", as: "bea", body: Self.listen)
            #expect(sent.status == .ok)
            let stats = try await people.json("/v1/users/bea/stats?period=all", as: "ada")
            #expect(stats["listens"] as? Int == 1 && stats["timeZone"] is NSNull)
            let song = try #require((stats["songs"] as? [[String: Any]])?.first)
            #expect(song["name"] as? String == "Teardrop" && song["trackId"] is NSNull)

            let unknown = try await people.send(.get, "/v1/users/nobody/stats", as: "ada")
            #expect(unknown.status == .notFound)
            for name in ["%00", "%FF", "%ED%A0%80"] {
                let malformed = try await people.send(.get, "/v1/users/\(name)/stats", as: "ada")
                #expect(malformed.status == .notFound)
                #expect(String(buffer: malformed.body) == String(buffer: unknown.body), "\(name)")
            }
            func isHidden() async throws -> Bool {
                let answer = try await people.send(.get, "/v1/users/bea/stats", as: "ada")
                return answer.status == .notFound && String(buffer: answer.body) == String(buffer: unknown.body)
            }
            let bea = try people.id(of: "bea")
            try await people.gateway.database.write { try $0.visibility.setShowsStats(false, userID: bea) }
            #expect(try await isHidden())
            #expect(try await people.send(.get, "/v1/users/bea/stats", as: "bea").status == .ok)
            try await people.gateway.database.write { try $0.visibility.setShowsStats(true, userID: bea) }
            try await people.setVisibility(.followers, of: "bea")
            #expect(try await isHidden())
            try await people.follow("bea", as: "ada")
            #expect(try await isHidden(), "a request gives no right")
            #expect(try await people.send(.put, "/v1/me/follow-requests/ada", as: "bea").status == .noContent)
            #expect(try await people.send(.get, "/v1/users/bea/stats", as: "ada").status == .ok)
            #expect(try await people.send(.put, "/v1/users/ada/block", as: "bea").status == .noContent)
            #expect(try await isHidden())
        }
    }

    @Test("A period that does not exist is refused, and stats need a session")
    func badRequests() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            for query in ["period=decade", "from=x", "period=all&from=2026-01-01", "limit=0"] {
                let refused = try await people.send(.get, "/v1/users/bea/stats?\(query)", as: "ada")
                #expect(refused.status == .unprocessableContent, "\(query)")
            }
            let anonymous = try await people.client.execute(uri: "/v1/users/bea/stats", method: .get)
            #expect(anonymous.status == .unauthorized)
        }
    }
}
