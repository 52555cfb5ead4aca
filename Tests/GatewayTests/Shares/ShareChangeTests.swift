import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Gateway

@Suite("Changes of shares on people's devices")
struct ShareChangeTests {
    /// The ids of shares in a person's changes after a position, those that are gone with a minus sign, and the end.
    private static func changes(
        of name: String, since: String? = nil, _ people: PeopleFixture
    ) async throws -> (ids: Set<String>, end: String) {
        let path = "/v1/changes?kinds=share" + (since.map { "&since=\($0)" } ?? "")
        let answer = try await people.send(.get, path, as: name)
        var (ids, end): (Set<String>, String) = ([], "")
        for line in String(buffer: answer.body).split(separator: "\n") {
            let json = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            if let id = json["id"] as? String { ids.insert((json["gone"] as? Bool == true ? "-" : "") + id) }
            if let position = json["since"] as? String { end = position }
        }
        return (ids, end)
    }

    @Test("The devices of the sender and of who reacts learn of a share, and of its end")
    func changes() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            for name in ["bea", "cleo"] { try await people.follow("ada", as: name) }
            let id = try await people.share(as: "ada")
            let made = try await Self.changes(of: "ada", people)
            #expect(made.ids == [id])
            let before = try await Self.changes(of: "bea", people)
            #expect(before.ids.isEmpty)
            let reacted = try await people.send(
                .put, "/v1/shares/\(id)/reaction", as: "bea", body: #"{"reaction":"heart"}"#)
            #expect(reacted.status == .noContent)
            for (name, since) in [("ada", made.end), ("bea", before.end)] {
                let after = try await Self.changes(of: name, since: since, people)
                #expect(after.ids == [id], "\(name)")
            }
            #expect(try await people.send(.delete, "/v1/shares/\(id)", as: "ada").status == .noContent)
            for (name, since) in [("ada", made.end), ("bea", before.end)] {
                let after = try await Self.changes(of: name, since: since, people)
                #expect(after.ids == ["-" + id], "\(name)")
                let whole = try await Self.changes(of: name, people)
                #expect(whole.ids.isEmpty, "\(name)")
            }
            let other = try await Self.changes(of: "cleo", since: before.end, people)
            #expect(other.ids.isEmpty)
        }
    }
}
