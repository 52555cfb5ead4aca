import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import NIOCore
import Storage
import Testing
import Visibility

@testable import AccountsHTTP
@testable import Gateway

@Suite("Finding and seeing people in the API", .timeLimit(.minutes(5)))
struct PeopleRouteTests {
    private func object(_ response: TestResponse) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any])
    }

    private func key(_ name: String, in transaction: WriteTransaction) throws -> PersonKey {
        let user = try #require(try transaction.accounts.user(named: name))
        return try #require(try transaction.visibility.key(ofUser: user.id))
    }

    private func change(
        _ name: String, in gateway: TestGateway, _ edit: (inout ProfileChange) -> Void
    ) async throws {
        let accounts = Accounts(database: gateway.database)
        var change = ProfileChange()
        edit(&change)
        _ = try await accounts.changeProfile(userID: try await accounts.user(named: name).id, change)
    }

    @Test("Others see a public profile without its private fields, and a profile for followers only by name")
    func profiles() async throws {
        try await TestGateway.run { gateway in
            let ada = try await gateway.authorization("ada")
            let bob = try await gateway.authorization("bob")
            try await change("ada", in: gateway) {
                ($0.homeCity, $0.bio, $0.displayName) = (.text("London"), .text("Hello"), .text("Ada L."))
            }
            try await gateway.withClient { client in
                func see(_ headers: HTTPFields) async throws -> [String: Any] {
                    try object(try await client.execute(uri: "/v1/users/a.da", method: .get, headers: headers))
                }
                let seen = try await see(bob)
                #expect(
                    Set(seen.keys) == [
                        "id", "username", "displayName", "bio", "picture", "createdAt", "profileVisibility",
                        "follow", "followsMe", "asksSince", "writing", "counts", "showsStats",
                        "isSelf",
                    ])
                #expect(seen["username"] as? String == "ada" && seen["bio"] as? String == "Hello")
                #expect(seen["follow"] as? String == "none" && seen["followsMe"] as? Bool == false)
                #expect(seen["showsStats"] as? Bool == true && seen["isSelf"] as? Bool == false)
                #expect(try await see(ada)["isSelf"] as? Bool == true)

                try await change("ada", in: gateway) { $0.visibility = .followers }
                let closed = try await see(bob)
                #expect(closed["displayName"] as? String == "Ada L." && closed["bio"] is NSNull)
                #expect(closed["counts"] == nil && closed["showsStats"] as? Bool == false)
                try await gateway.database.write { transaction in
                    try transaction.visibility.follow(
                        try key("ada", in: transaction), by: try key("bob", in: transaction), now: .now())
                }
                let followed = try await see(bob)
                #expect(followed["follow"] as? String == "following" && followed["bio"] as? String == "Hello")
                let counts = try #require(followed["counts"] as? [String: Int])
                #expect(counts == ["followers": 1, "following": 0])
                try await change("ada", in: gateway) { $0.showsListeningStats = false }
                #expect(try await see(bob)["showsStats"] as? Bool == false)
                #expect(try await see(ada)["showsStats"] as? Bool == true)
            }
        }
    }

    @Test("Private, blocked, blocking, suspended, erased and unknown people are the same answer to the same statements")
    func alike() async throws {
        try await TestGateway.run { gateway in
            let reader = try await gateway.authorization("reader")
            let accounts = Accounts(database: gateway.database)
            let hidden = ["hides", "blocked", "blocks", "away", "gone"]
            for name in hidden { _ = try await gateway.addUser(name) }
            try await change("hides", in: gateway) { $0.visibility = .private }
            try await gateway.database.write { transaction in
                let own = try key("reader", in: transaction)
                // Following somebody does not help.
                for name in hidden {
                    try transaction.visibility.follow(try key(name, in: transaction), by: own, now: .now())
                }
                _ = try transaction.visibility.block(try key("blocked", in: transaction), by: own, now: .now())
                _ = try transaction.visibility.block(own, by: try key("blocks", in: transaction), now: .now())
            }
            try await accounts.suspend(user: "away")
            try await accounts.beginErasure(userID: try await accounts.user(named: "gone").id)
            try await gateway.withClient { client in
                let unknown = try await client.execute(uri: "/v1/users/nobody", method: .get, headers: reader)
                #expect(unknown.status == .notFound)
                for name in hidden + ["%00", "%FF", "%ED%A0%80", "..", "a%2Fb", String(repeating: "n", count: 2_000)] {
                    let answer = try await client.execute(uri: "/v1/users/\(name)", method: .get, headers: reader)
                    #expect(answer.status == .notFound, "\(name)")
                    if hidden.contains(name) || name.hasPrefix("%") {
                        #expect(String(buffer: answer.body) == String(buffer: unknown.body), "\(name)")
                    }
                }
            }
        }
    }

    @Test("Search pages, lists everybody where people are few, and refuses what it cannot search for")
    func search() async throws {
        try await TestGateway.run { gateway in
            let reader = try await gateway.authorization("reader")
            for name in ["ada", "adam", "adele", "bob"] { _ = try await gateway.addUser(name) }
            try await gateway.withClient { client in
                func find(_ query: String) async throws -> (names: [String], next: String?, tooMany: Bool) {
                    let answer = try await client.execute(
                        uri: "/v1/users" + (query.isEmpty ? "" : "?" + query), method: .get, headers: reader)
                    #expect(answer.status == .ok, "\(query)")
                    let page = try object(answer)
                    let items = try #require(page["items"] as? [[String: Any]])
                    let keys: Set<String> = [
                        "id", "username", "displayName", "picture", "profileVisibility", "follow", "followsMe",
                        "asksSince",
                    ]
                    #expect(items.allSatisfy { Set($0.keys) == keys })
                    return (
                        items.compactMap { $0["username"] as? String }, page["nextCursor"] as? String,
                        page["tooMany"] as? Bool ?? true
                    )
                }
                let first = try await find("q=ad&limit=2")
                #expect(first.names == ["ada", "adam"])
                let next = try #require(first.next)
                let second = try await find("q=ad&limit=2&cursor=\(next)")
                #expect(second.names == ["adele"] && second.next == nil && !second.tooMany)
                for query in ["", "q=", "q=%20"] {
                    let all = try await find(query)
                    #expect(all.names == ["ada", "adam", "adele", "bob"] && !all.tooMany, "\(query)")
                }
                for (query, field) in [
                    ("q=ad&limit=51", "limit"), ("cursor=\(next)", "cursor"), ("q=a%00b", "q"), ("q=%ED%A0%80", "q"),
                    ("q=ad%FF", "q"),
                    ("q=" + String(repeating: "a", count: 201), "q"),
                ] {
                    let refused = try await client.execute(uri: "/v1/users?\(query)", method: .get, headers: reader)
                    #expect(try refused.status == .unprocessableContent && refused.problem.field == field, "\(query)")
                }
            }
        }
    }

    @Test("Somebody who asks for people again and again is slowed down, alone")
    func harvesting() async throws {
        let limit = SearchLimit(now: { MonotonicInstant(microseconds: 1_000_000) })
        for _ in 0..<SearchLimit.burst { try limit.count("ada") }
        let problem = try #require(throws: Problem.self) { try limit.count("ada") }
        #expect(problem.status == .tooManyRequests && problem.code == .actLimitReached && problem.retryAfter == 1)
        #expect(problem.limit?.name == "searchesPerMinute")
        #expect(problem.detail == "You can search for people 60 times a minute. You can search again in 1 second.")
        try limit.count("bob")
    }
}
