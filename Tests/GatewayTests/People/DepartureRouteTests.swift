import Accounts
import Composition
import Domains
import Foundation
import HummingbirdTesting
import Storage
import Testing
import Visibility

@testable import AccountsHTTP
@testable import Gateway

@Suite("What somebody learns of a block and of an erasure", .timeLimit(.minutes(5)))
struct DepartureRouteTests {
    /// What there is between a person and somebody who leaves.
    enum Acquaintance: CaseIterable, Sendable {
        case follow, mutual, followed, request, received, reaction, reactionOfOther, unfollowed, none

        func make(between name: String, and leaving: String, of people: PeopleFixture) async throws {
            func ask(_ one: String, _ other: String) async throws {
                try await people.setVisibility(.followers, of: other)
                try await people.follow(other, as: one)
            }
            func react(_ one: String, toShareOf other: String) async throws {
                let id = try await people.share(as: other)
                let reacted = try await people.send(
                    .put, "/v1/shares/\(id)/reaction", as: one, body: #"{"reaction":"heart"}"#)
                #expect(reacted.status == .noContent)
            }
            switch self {
            case .follow: try await people.follow(leaving, as: name)
            case .mutual:
                try await people.follow(leaving, as: name)
                try await people.follow(name, as: leaving)
            case .followed: try await people.follow(name, as: leaving)
            case .request: try await ask(name, leaving)
            case .received: try await ask(leaving, name)
            case .reaction: try await react(name, toShareOf: leaving)
            case .reactionOfOther: try await react(leaving, toShareOf: name)
            case .unfollowed:
                try await people.follow(leaving, as: name)
                _ = try await people.send(.delete, "/v1/users/\(leaving)/follow", as: name)
            case .none: break
            }
        }
    }

    private struct Line: Decodable {
        var kind: String?
        var id: String?
        var gone: Bool?
        var seq: Int?
        var since: String?
    }

    private func changes(since: String?, as name: String, of people: PeopleFixture) async throws -> [Line] {
        let answer = try await people.send(.get, "/v1/changes" + (since.map { "?since=\($0)" } ?? ""), as: name)
        #expect(answer.status == .ok)
        return try String(buffer: answer.body).split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
    }

    /// Changes without what tells two people apart: ids, and numbers but for which of them are equal.
    private func shape(_ lines: ArraySlice<Line>, of id: String) -> [String] {
        let numbers = Set(lines.compactMap(\.seq)).sorted()
        return lines.map { line in
            let place = line.seq.flatMap { numbers.firstIndex(of: $0) } ?? -1
            let name = (line.id ?? "").replacing(id, with: "ID")
            return "\(place) \(line.kind ?? "") \(line.gone == true ? "gone" : "item") \(name)"
        }
    }

    @Test(
        "The changes after a block and after an erasure are the same, for a device that was away and for one that was not",
        arguments: Acquaintance.allCases)
    func sameChanges(acquaintance: Acquaintance) async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo", "dora"]) { people in
            // Notifications of one kind are a group, which remains as long as somebody else is in it.
            for other in ["bea", "cleo", "dora"] { try await acquaintance.make(between: "ada", and: other, of: people) }
            let erasure = UserErasure(
                accounts: Accounts(database: people.gateway.database), queue: people.gateway.application.services.queue,
                tables: PersonalTables(of: .all))
            let (bea, cleo) = (try people.id(of: "bea"), try people.id(of: "cleo"))

            let first = try #require(try await changes(since: nil, as: "ada", of: people).last?.since)
            #expect(try await people.send(.put, "/v1/users/ada/block", as: "bea").status == .noContent)
            let ofBlock = try await changes(since: first, as: "ada", of: people)
            let second = try #require(ofBlock.last?.since)
            // One device reads in between, as the erasure begins, the other only at its end.
            try await Accounts(database: people.gateway.database).beginErasure(userID: cleo)
            let beginning = try await changes(since: second, as: "ada", of: people)
            try await erasure.eraseLeftovers()
            let third = try #require(beginning.last?.since)
            let rest = try await changes(since: third, as: "ada", of: people)
            let ofErasure = try await changes(since: second, as: "ada", of: people)

            let expected = shape(ofBlock.dropLast(), of: bea)
            #expect(shape(ofErasure.dropLast(), of: cleo) == expected)
            #expect(shape(beginning.dropLast() + rest.dropLast(), of: cleo) == expected)
            let ofPeople = expected.filter { !$0.contains("notification") }
            #expect(ofPeople.count == (acquaintance == .none ? 0 : 2), "\(expected)")
            for path in ["/v1/users/bea", "/v1/users/cleo"] {
                #expect(try await people.send(.get, path, as: "ada").status == .notFound)
            }
        }
    }
}
