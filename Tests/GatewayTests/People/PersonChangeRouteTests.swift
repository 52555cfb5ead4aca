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
        var seq: Int?
        var item: Card?
        var gone: Bool?
        var since: String?

        /// Without the number.
        var content: Line {
            var line = self
            line.seq = nil
            return line
        }
    }

    private func changes(_ query: String, as name: String, in people: PeopleFixture) async throws -> [Line] {
        let response = try await people.send(.get, "/v1/changes?\(query)", as: name)
        #expect(response.status == .ok)
        // What the feed and the notifications have is reported, too.
        return try String(buffer: response.body).split(separator: "\n")
            .filter { !$0.contains("feedItem") && !$0.contains(#""kind":"notification""#) }
            .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
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
                    lines.map(\.content) == [
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
            #expect(closed.map(\.content) == [Line(kind: "itemsOf", id: bea, gone: true)])
            try await people.setVisibility(.public, of: "bea")
            let opened = try await changes("since=\(mark)", as: "ada", in: people).dropLast()
            #expect(
                opened.map(\.content)
                    == [Line(kind: "person", id: bea, item: .init(follow: "following", followsMe: false))])
            _ = try await people.send(.put, "/v1/users/ada/block", as: "bea")
            let blocked = try await changes("since=\(mark)", as: "ada", in: people).dropLast()
            #expect(
                blocked.map(\.content) == ["itemsOf", "person"].map { Line(kind: $0, id: bea, gone: true) })
        }
    }

    @Test("A closed profile is reported once, whatever kinds are read, and whoever follows back is shown after it")
    func closingOfAFollower() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            let bea = try people.id(of: "bea")
            try await people.follow("bea", as: "ada")
            try await people.follow("ada", as: "bea")
            let mark = try #require(try await changes("", as: "ada", in: people).last?.since)
            try await people.setVisibility(.private, of: "bea")
            let all = Line(kind: "itemsOf", id: bea, gone: true)
            let person = Line(kind: "person", id: bea, item: .init(follow: "following", followsMe: true))
            for (query, expected) in [
                ("", [all, person]), ("kinds=person&", [all, person]), ("kinds=feedItem&", [all]),
                ("kinds=share&", [all]), ("kinds=feedItem,share&", [all]), ("kinds=libraryImport&", []),
            ] {
                let lines = try await changes("\(query)since=\(mark)", as: "ada", in: people).dropLast()
                #expect(lines.map(\.content) == expected, "\(query)")
                #expect(Set(lines.map(\.seq)).count <= 1, "they are one change")
            }
        }
    }

    @Test("Who asks to follow is in the event, as the list of requests shows them, until the request has ended")
    func requests() async throws {
        struct Card: Decodable, Equatable {
            var id: String
            var username: String
            var displayName: String?
            var picture: String?
            var profileVisibility: String?
            var follow: String
            var followsMe: Bool
            var asksSince: String?
        }
        struct Line: Decodable {
            var item: Card?
            var since: String?
        }
        struct Page: Decodable { var items: [Card] }
        try await PeopleFixture.run(["ada", "bea"]) { people in
            func read(_ query: String) async throws -> [Line] {
                let answer = try await people.send(.get, "/v1/changes?kinds=person\(query)", as: "ada")
                return try String(buffer: answer.body).split(separator: "\n").map {
                    try JSONDecoder().decode(Line.self, from: Data($0.utf8))
                }
            }
            try await people.setVisibility(.followers, of: "ada")
            let mark = try #require(try await read("").last?.since)
            try await people.follow("ada", as: "bea")
            // Whoever asks shows themself, also with a private profile.
            for visibility in [ProfileVisibility.followers, .private] {
                try await people.setVisibility(visibility, of: "bea")
                let list = try await people.send(.get, "/v1/me/follow-requests", as: "ada")
                let listed = try JSONDecoder().decode(Page.self, from: Data(buffer: list.body)).items
                let told = try await read("&since=\(mark)").compactMap(\.item)
                #expect(told == listed && told.count == 1)
                #expect(told.first?.asksSince != nil && told.first?.username == "bea")
                #expect(told.first?.profileVisibility == (visibility == .private ? nil : "followers"))
            }
            let asked = try #require(try await read("").last?.since)
            _ = try await people.send(.put, "/v1/me/follow-requests/bea", as: "ada")
            let accepted = try await read("&since=\(asked)").compactMap(\.item)
            #expect(accepted.map(\.asksSince) == [nil] && accepted.map(\.followsMe) == [true])
        }
    }
}
