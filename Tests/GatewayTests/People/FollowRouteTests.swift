import Foundation
import HTTPTypes
import HummingbirdTesting
import Model
import People
import Storage
import Testing
import Visibility

@testable import Gateway

@Suite("Routes of follows and blocks")
struct FollowRouteTests {
    @Test("Following, asking, accepting and unfollowing answer alike when they are repeated")
    func follows() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            try await people.setVisibility(.followers, of: "cleo")
            for _ in 0..<2 {
                let followed = try await people.follow("bea", as: "ada")
                #expect(followed.status == .ok && String(buffer: followed.body) == #"{"follow":"following"}"#)
                let asked = try await people.follow("cleo", as: "ada")
                #expect(asked.status == .ok && String(buffer: asked.body) == #"{"follow":"requested"}"#)
            }
            #expect(try await people.names("/v1/me/following", as: "ada") == ["bea"])
            #expect(try await people.names("/v1/me/followers", as: "bea") == ["ada"])
            #expect(try await people.names("/v1/me/follow-requests", as: "cleo") == ["ada"])
            for _ in 0..<2 {
                #expect(try await people.send(.put, "/v1/me/follow-requests/ada", as: "cleo").status == .noContent)
            }
            #expect(try await people.names("/v1/me/follow-requests", as: "cleo").isEmpty)
            #expect(try await people.names("/v1/me/following", as: "ada") == ["cleo", "bea"])
            for _ in 0..<2 {
                #expect(try await people.send(.delete, "/v1/users/bea/follow", as: "ada").status == .noContent)
                #expect(try await people.send(.delete, "/v1/me/followers/ada", as: "cleo").status == .noContent)
            }
            #expect(try await people.names("/v1/me/following", as: "ada").isEmpty)
            try await people.follow("cleo", as: "bea")
            for _ in 0..<2 {
                #expect(try await people.send(.delete, "/v1/me/follow-requests/bea", as: "cleo").status == .noContent)
            }
            #expect(try await people.names("/v1/me/follow-requests", as: "cleo").isEmpty)
        }
    }

    @Test("Blocking hides both from each other, and ends follows and requests")
    func blocks() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            try await people.follow("bea", as: "ada")
            try await people.follow("ada", as: "bea")
            try await people.follow("cleo", as: "ada")
            for _ in 0..<2 {
                #expect(try await people.send(.put, "/v1/users/ada/block", as: "bea").status == .noContent)
            }
            #expect(try await people.names("/v1/me/blocked", as: "bea") == ["ada"])
            #expect(try await people.names("/v1/me/blocked", as: "ada").isEmpty)
            #expect(try await people.names("/v1/me/following", as: "ada") == ["cleo"])
            #expect(try await people.names("/v1/me/followers", as: "ada").isEmpty)
            #expect(try await people.follow("bea", as: "ada").status == .notFound)
            #expect(try await people.follow("ada", as: "bea").status == .notFound)
            for _ in 0..<2 {
                #expect(try await people.send(.delete, "/v1/users/ada/block", as: "bea").status == .noContent)
            }
            #expect(try await people.follow("bea", as: "ada").status == .ok)
        }
    }

    /// Each act on somebody's name, as a method and a path.
    private static let acts: [(HTTPRequest.Method, String)] = [
        (.put, "/v1/users/%/follow"), (.delete, "/v1/users/%/follow"), (.delete, "/v1/me/followers/%"),
        (.put, "/v1/me/follow-requests/%"), (.delete, "/v1/me/follow-requests/%"), (.put, "/v1/users/%/block"),
        (.delete, "/v1/users/%/block"), (.post, "/v1/users/%/report"),
    ]

    @Test(
        "Unknown, malformed, private, suspended, erased and blocking people are answered alike, and nothing is written")
    func alike() async throws {
        let hidden = ["private", "suspended", "gone", "blocker"]
        try await PeopleFixture.run(["ada"] + hidden) { people in
            try await people.setVisibility(.private, of: "private")
            let ids = [try people.id(of: "suspended"), try people.id(of: "gone")]
            _ = try await people.send(.put, "/v1/users/ada/block", as: "blocker")
            try await people.gateway.database.write { transaction in
                _ = try transaction.visibility.suspend(userID: ids[0])
                try transaction.visibility.close(userID: ids[1])
            }
            let before = try await people.gateway.database.read { try $0.lastChange() }
            for (method, path) in Self.acts {
                var answers: Set<String> = []
                for name in hidden + [
                    "nobody", "%FF", "%00", "a%00b", "%ED%A0%80", String(repeating: "x", count: 2_000), "%F0%9F%8E%B5",
                ] {
                    let response = try await people.send(
                        method, path.replacingOccurrences(of: "%/", with: name + "/").replacing(/%$/, with: name),
                        as: "ada", body: method == .post ? #"{"text":"rude"}"# : nil)
                    #expect(response.status == .notFound, "\(method) \(path) \(name)")
                    answers.insert(String(buffer: response.body))
                }
                #expect(answers.count == 1, "\(method) \(path)")
            }
            #expect(try await people.gateway.database.read { try $0.lastChange() } == before)
        }
    }

    @Test("Oneself is refused with a word", arguments: FollowRouteTests.acts.indices)
    func oneself(index: Int) async throws {
        let (method, path) = Self.acts[index]
        try await PeopleFixture.run(["ada"]) { people in
            let response = try await people.send(
                method, path.replacingOccurrences(of: "%", with: "ada"), as: "ada",
                body: method == .post ? #"{"text":"rude"}"# : nil)
            #expect(response.status == .conflict)
            #expect(try response.problem.code == "selfTarget")
        }
    }

    @Test("The answer to one follow too many names the limit and its end, and other acts go on")
    func limit() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            let id = try people.id(of: "ada")
            try await people.gateway.database.write { transaction in
                let viewer = try #require(try transaction.visibility.viewer(userID: id))
                for _ in 0..<99 {
                    try transaction.visibility.count(ActLimit.follows, by: viewer.key, now: .now())
                }
            }
            #expect(try await people.follow("bea", as: "ada").status == .ok)
            let refused = try await people.follow("cleo", as: "ada")
            #expect(refused.status == .tooManyRequests)
            #expect(refused.headers[.retryAfter].flatMap { Int($0) }.map { (1...36).contains($0) } == true)
            let problem = try #require(
                try JSONSerialization.jsonObject(with: Data(refused.body.readableBytesView)) as? [String: Any])
            #expect(problem["code"] as? String == "actLimitReached" && problem["limit"] as? String == "followsPerHour")
            let detail = try #require(problem["detail"] as? String)
            #expect(detail.hasPrefix("You can follow 100 people an hour. You can follow more people in "), "\(detail)")
            let until = try #require((problem["until"] as? String).flatMap { Timestamp(rfc3339: $0) })
            #expect(until > .now() && until <= .now().advanced(by: .seconds(36)))
            #expect(try await people.names("/v1/me/following", as: "ada") == ["bea"])
            #expect(try await people.follow("bea", as: "ada").status == .ok, "the same again is no further follow")
            #expect(try await people.send(.delete, "/v1/users/bea/follow", as: "ada").status == .noContent)
            #expect(try await people.follow("bea", as: "ada").status == .tooManyRequests)
            #expect(try await people.follow("ada", as: "cleo").status == .ok)
        }
    }
}
