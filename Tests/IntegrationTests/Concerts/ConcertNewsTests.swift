import Foundation
import Model
import TestProcesses
import TestSupport
import Testing

/// From a change at Ticketmaster to people's feeds.
@Suite("News of concerts", .timeLimit(.minutes(20)))
struct ConcertNewsTests {
    private struct Feed: Decodable {
        struct Show: Decodable {
            var id: String
            var artistName: String
            var isHomeCity: Bool
            var revision: Int
            var reason: String
        }

        struct Coming: Decodable {
            var of: String
            var name: String
            var count: Int
        }

        struct Item: Decodable {
            var kind: String
            var concert: Show?
            var comingShows: Coming?
        }

        struct Part: Decodable {
            var part: String
            var state: String
        }

        var items: [Item]
        var refresh: [Part]?

        /// News of shows, the latest first.
        var news: [String] { items.compactMap { $0.concert.map { "\($0.reason) \($0.id).\($0.revision)" } } }
    }

    private static func feed(of person: APIClient) async throws -> Feed {
        let response = try await person.get("/v1/feed")
        guard response.status == 200 else {
            throw UnexpectedAnswer(description: "feed: \(response.status) \(response.text)")
        }
        return try response.decode()
    }

    /// Makes everything that is watched due again, with answers that are no longer fresh.
    private static func refresh(_ concerts: ConcertInstallation) async throws {
        try await concerts.age(byHours: 25)
        try await concerts.base.withDatabase { database in
            try await database.write { try $0.run("UPDATE concert_refreshes SET next_at = 0") }
        }
    }

    private static func waitForNews(
        _ expected: String, of person: APIClient, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let news = try await eventually("the news \(expected)") {
            let news = try await feed(of: person).news
            return news.contains(expected) ? news : nil
        }
        // A card for each show, whatever has happened to it.
        let shows = news.compactMap { $0.split(separator: " ").last?.split(separator: ".").first }
        #expect(Set(shows).count == shows.count, sourceLocation: sourceLocation)
    }

    @Test("A show that is announced, goes on sale, moves and is cancelled is one card with the latest news")
    func lifeOfAShow() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser("ada")
            try await ada.rank(["Coldplay"])
            #expect(try await ada.send(.PATCH, "/v1/me", body: Array(#"{"homeCity":"Praha"}"#.utf8)).status == 200)
            // Nothing is looked up for who has not opened the feed.
            #expect(try await concerts.calls() == 0)
            _ = try await Self.feed(of: ada)
            let feed = try await eventually("the first lookups") {
                let feed = try await Self.feed(of: ada)
                return feed.refresh?.filter { $0.state == "done" }.count == 2 ? feed : nil
            }
            #expect(feed.news.isEmpty)
            let coming = feed.items.compactMap(\.comingShows)
            #expect(Set(coming.map(\.name)) == ["Coldplay", "Praha"])
            #expect(coming.allSatisfy { $0.count > 0 })

            let show = try await concerts.upstream.announce("Coldplay", in: "Prague", inDays: 40, isOnSale: false)
            try await Self.refresh(concerts)
            try await Self.waitForNews("announced \(show.id).1", of: ada)
            let announced = try await Self.feed(of: ada).items.compactMap(\.concert).first { $0.id == show.id }
            #expect(announced?.artistName == "Coldplay" && announced?.isHomeCity == true)
            try await concerts.upstream.putOnSale(show.id)
            try await Self.refresh(concerts)
            try await Self.waitForNews("onSale \(show.id).2", of: ada)
            try await concerts.upstream.move(show.id, inDays: 60)
            try await Self.refresh(concerts)
            try await Self.waitForNews("moved \(show.id).3", of: ada)
            try await concerts.upstream.cancel(show.id)
            try await Self.refresh(concerts)
            try await Self.waitForNews("cancelled \(show.id).4", of: ada)

            let page = try await ada.get("/v1/concerts/\(show.id)").decode(JSON.self)
            #expect(page["status"] == .string("cancelled"))
            guard case .array(let history)? = page["history"] else {
                Issue.record("no history: \(page)")
                return
            }
            #expect(
                history.map { $0["reason"] }
                    == ["cancelled", "moved", "onSale", "announced"].map { .string($0) })
        }
    }

    @Test("What two people watch is looked up once for both, and for nobody who was away for a month")
    func sharedRefreshes() async throws {
        try await ConcertInstallation.run { concerts in
            let people = [try await concerts.addUser("ada"), try await concerts.addUser("bob")]
            for person in people {
                try await person.rank(["Coldplay"])
                _ = try await Self.feed(of: person)
            }
            func settled() async throws -> Bool {
                for person in people {
                    let feed = try await Self.feed(of: person)
                    guard feed.items.contains(where: { $0.comingShows != nil }) else { return false }
                }
                return true
            }
            try await eventually("the coming shows of both") { try await settled() }
            let first = try await concerts.calls()
            let show = try await concerts.upstream.announce("Coldplay", in: "Vienna", inDays: 40)
            try await Self.refresh(concerts)
            for person in people { try await Self.waitForNews("announced \(show.id).1", of: person) }
            // One call by the attraction, and one by the name where that is due.
            #expect(try await concerts.calls() - first <= 2)

            // A gateway that ends writes when people were last seen.
            for gateway in concerts.base.running("api-gateway") {
                gateway.terminate()
                try await gateway.waitForEnd()
            }
            try await concerts.base.withDatabase { database in
                try await database.write {
                    try $0.run("UPDATE users SET last_seen_at = last_seen_at - \(31 * 86_400_000_000)")
                }
            }
            let before = try await concerts.calls()
            try await Self.refresh(concerts)
            try await concerts.base.startGateway()
            try await concerts.base.connected(workers: 1)
            try await eventually("the next day") {
                try await concerts.base.withDatabase { database in
                    try await database.read { reader in
                        try reader.row("SELECT 1 AS found FROM concert_refreshes WHERE next_at = 0") == nil
                    }
                }
            }
            #expect(try await concerts.calls() == before)
        }
    }
}
