import Foundation
import HTTPTypes
import HummingbirdTesting
import Model
import People
import Storage
import Testing
import Visibility

@testable import Gateway

@Suite("Lists of people in the API")
struct PeopleListRouteTests {
    private static let lists = ["/v1/me/following", "/v1/me/followers", "/v1/me/blocked", "/v1/me/follow-requests"]

    @Test("A card has the name, the follow state of both directions, and since when; no email or city")
    func cards() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            let id = try people.id(of: "bea")
            try await people.gateway.database.write { transaction in
                try transaction.run(
                    """
                    UPDATE users SET display_name = 'Bea B.', email = 'bea@example.org', home_city = 'Brno'
                    WHERE id = \(id)
                    """)
            }
            try await people.follow("bea", as: "ada")
            try await people.follow("ada", as: "bea")
            let card = try #require(try await people.items("/v1/me/following", as: "ada").first)
            #expect(
                Set(card.keys) == [
                    "id", "username", "displayName", "picture", "profileVisibility", "follow", "followsMe",
                    "asksSince", "since",
                ])
            #expect(card["profileVisibility"] as? String == "public" && card["asksSince"] is NSNull)
            #expect(card["username"] as? String == "bea" && card["displayName"] as? String == "Bea B.")
            #expect(card["follow"] as? String == "following" && card["followsMe"] as? Bool == true)
            #expect((card["since"] as? String).flatMap { Timestamp(rfc3339: $0) } != nil)
            // In the list of followers, the state is that of the other direction.
            try await people.follow("ada", as: "cleo")
            try await people.setVisibility(.followers, of: "cleo")
            var follower = try #require(try await people.items("/v1/me/followers", as: "ada").first)
            #expect(follower["username"] as? String == "cleo" && follower["follow"] as? String == "none")
            try await people.follow("cleo", as: "ada")
            follower = try #require(try await people.items("/v1/me/followers", as: "ada").first)
            #expect(follower["follow"] as? String == "requested" && follower["followsMe"] as? Bool == true)
        }
    }

    @Test("A card says who sees a profile exactly where the profile's page does")
    func shownVisibility() async throws {
        let others = ProfileVisibility.allCases.map { "is_\($0.rawValue)" }
        try await PeopleFixture.run(["ada"] + others) { people in
            for other in others {
                try await people.follow(other, as: "ada")
                try await people.follow("ada", as: other)
            }
            _ = try await people.share(as: "ada")
            for (visibility, other) in zip(ProfileVisibility.allCases, others) {
                try await people.setVisibility(visibility, of: other)
            }
            func check(_ path: String, _ member: String? = nil) async throws -> Set<String> {
                let items = try await people.items(path, as: "ada")
                let cards = items.compactMap { item in
                    if let member { item[member] as? [String: Any] } else { item }
                }
                for card in cards {
                    let name = try #require(card["username"] as? String)
                    let page = try await people.send(.get, "/v1/users/\(name)", as: "ada")
                    let shown = page.status == .ok ? try page.jsonObject["profileVisibility"] as? String : nil
                    #expect(card["profileVisibility"] as? String == shown, "\(path), \(name)")
                }
                return Set(cards.compactMap { $0["username"] as? String })
            }
            #expect(try await check("/v1/me/followers") == Set(others))
            #expect(try await check("/v1/me/following") == ["is_public", "is_followers"])
            #expect(try await check("/v1/users?q=is") == ["is_public", "is_followers"])
            #expect(try await check("/v1/users") == ["is_public", "is_followers"])
            #expect(try await check("/v1/me/shares", "sender") == ["ada"])
            for other in others {
                _ = try await people.send(.put, "/v1/users/\(other)/block", as: "ada")
            }
            #expect(try await check("/v1/me/blocked") == Set(others))
        }
    }

    @Test("Pages follow each other by their cursor, and refuse any other")
    func pages() async throws {
        let others = (1...7).map { "person\($0)" }
        try await PeopleFixture.run(["ada"] + others) { people in
            for other in others { try await people.follow(other, as: "ada") }
            var (names, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try await people.json(
                    "/v1/me/following?limit=3" + (cursor.map { "&cursor=\($0)" } ?? ""), as: "ada")
                names += (page["items"] as? [[String: Any]] ?? []).compactMap { $0["username"] as? String }
                cursor = page["nextCursor"] as? String
            } while cursor != nil
            #expect(names == others.reversed())
            let page = try await people.json("/v1/me/following?limit=3", as: "ada")
            let text = try #require(page["nextCursor"] as? String)
            for path in [
                "/v1/me/followers?cursor=\(text)", "/v1/me/following?cursor=abc", "/v1/me/following?limit=101",
            ] {
                let refused = try await people.send(.get, path, as: "ada")
                #expect(refused.status == .unprocessableContent, "\(path)")
            }
        }
    }

    @Test("Lists of an account that is alone are empty, and an unchanged list is not sent again", arguments: lists)
    func empty(path: String) async throws {
        try await PeopleFixture.run(["ada"]) { people in
            #expect(try await people.items(path, as: "ada").isEmpty)
            #expect(try await people.items("/v1/users/suggestions", as: "ada").isEmpty)
            for path in [path, "/v1/users/suggestions", "/v1/setup"] {
                let first = try await people.send(.get, path, as: "ada")
                #expect(first.headers[.eTag] != nil)
                let body = try JSONSerialization.jsonObject(with: Data(buffer: first.body)) as? [String: Any]
                #expect(body?["seq"] is Int, "\(path)")
            }
            let anonymous = try await people.client.execute(uri: path, method: .get)
            #expect(anonymous.status == .unauthorized)
        }
    }

    @Test("Suggestions have the reason, and the artists are those of the other person's stats")
    func suggestions() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            let ids = try ["ada", "bea"].map { try people.id(of: $0) }
            try await people.gateway.database.write { transaction in
                for (id, name) in zip(ids, ["muse", "Muse"]) {
                    try transaction.people.replaceArtists(
                        [TopArtist(name: name)].compactMap(\.self), of: id, listensChange: 1, now: .now())
                }
            }
            let found = try #require(try await people.items("/v1/users/suggestions", as: "ada").first)
            #expect(
                Set(found.keys) == [
                    "id", "username", "displayName", "picture", "profileVisibility", "follow", "followsMe",
                    "asksSince", "reason",
                ])
            #expect(found["username"] as? String == "bea" && found["follow"] as? String == "none")
            let reason = try #require(found["reason"] as? [String: Any])
            #expect(reason["kind"] as? String == "topArtists" && reason["artists"] as? [String] == ["Muse"])
            try await people.setVisibility(.private, of: "bea")
            #expect(try await people.items("/v1/users/suggestions", as: "ada").isEmpty)
        }
    }
}
