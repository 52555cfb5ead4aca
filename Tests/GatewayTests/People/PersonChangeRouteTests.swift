import Foundation
import HummingbirdTesting
import Testing
import Visibility

@testable import Gateway

@Suite("Changes of people since a position")
struct PersonChangeRouteTests {
    private struct Line: Decodable, Equatable {
        struct Card: Decodable, Equatable {
            var follow: String
            var followsMe: Bool
        }

        var kind: String?
        var id: String?
        var item: Card?
        var gone: Bool?
        var since: String?
    }

    private func changes(_ query: String, as name: String, in people: PeopleFixture) async throws -> [Line] {
        let response = try await people.send(.get, "/v1/changes?\(query)", as: name)
        #expect(response.status == .ok)
        // What the feed has is reported, too.
        return try String(buffer: response.body).split(separator: "\n").filter { !$0.contains("feedItem") }.map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
    }

    @Test("The end of a follow removes everything of the person, and then says how the two stand to each other")
    func unfollow() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            let bea = try people.id(of: "bea")
            try await people.follow("bea", as: "ada")
            try await people.follow("ada", as: "bea")
            for query in ["", "kinds=person&"] {
                try await people.follow("bea", as: "ada")
                let mark = try #require(try await changes("", as: "ada", in: people).last?.since)
                _ = try await people.send(.delete, "/v1/users/bea/follow", as: "ada")
                let lines = try await changes("\(query)since=\(mark)", as: "ada", in: people).dropLast()
                #expect(
                    Array(lines) == [
                        Line(kind: "itemsOf", id: bea, gone: true),
                        Line(kind: "person", id: bea, item: .init(follow: "none", followsMe: true)),
                    ], "\(query)")
            }
            let other = try await changes("", as: "ada", in: people)
            #expect(!other.contains { $0.gone == true }, "who knows nothing has nothing to remove")
        }
    }

    @Test("A profile that closes takes everything of its person with it, and a block ends with the person")
    func closing() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            let bea = try people.id(of: "bea")
            try await people.follow("bea", as: "ada")
            let mark = try #require(try await changes("", as: "ada", in: people).last?.since)
            try await people.setVisibility(.private, of: "bea")
            let closed = try await changes("since=\(mark)", as: "ada", in: people).dropLast()
            #expect(Array(closed) == [Line(kind: "itemsOf", id: bea, gone: true)])
            try await people.setVisibility(.public, of: "bea")
            let opened = try await changes("since=\(mark)", as: "ada", in: people).dropLast()
            #expect(
                Array(opened) == [Line(kind: "person", id: bea, item: .init(follow: "following", followsMe: false))])
            _ = try await people.send(.put, "/v1/users/ada/block", as: "bea")
            let blocked = try await changes("since=\(mark)", as: "ada", in: people).dropLast()
            #expect(blocked.last == Line(kind: "person", id: bea, gone: true))
            #expect(blocked.contains(Line(kind: "itemsOf", id: bea, gone: true)))
        }
    }
}
