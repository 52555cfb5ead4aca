import Model
import People
import Storage
import TestSupport
import Testing
import Timeline
import Visibility

@testable import Feed
@testable import FeedHTTP
@testable import Gateway

@Suite("Reading a feed")
struct FeedReaderTests {
    private struct Broken: Error {}

    private static func moment(_ seconds: Int) -> Timestamp { FeedHistory.noon.advanced(by: .seconds(seconds)) }

    /// Ada follows Bob, who shares, and reads a topic with concerts.
    private static func fill(_ transaction: WriteTransaction, items: Int) throws {
        let ada = try transaction.visibility.add(userID: "ada")
        let bob = try transaction.visibility.add(userID: "bob")
        try transaction.visibility.follow(bob, by: ada, now: moment(0))
        try transaction.timeline.setTopics([.city(key: "brno")], of: "ada", because: .homeCity)
        let city = try transaction.timeline.author(of: .city(key: "brno"))
        for number in 0..<items {
            try transaction.addItem(
                .share, "s\(number)", of: "bob", by: [TimelineAuthor(bob)], moment: moment(2 * number))
            // The constants of the kinds are equal then.
            try transaction.addItem(
                .concert, "c\(number).1", of: "venue", by: [city], moment: moment(2 * number + 901))
        }
    }

    private static func page(
        _ database: Database, _ sources: FeedSources, limit: Int = 20
    ) async throws -> (ids: [String], failed: [TimelineKind]) {
        let (page, failures) = try await FeedReader.read("ada", of: sources, in: database) {
            try $1?.page(limit: limit) ?? FeedPage()
        }
        return (page.items.map(\.content.id), failures.map(\.kind))
    }

    @Test("A source that fails leaves the others, which fill the page, and is named")
    func failingSource() async throws {
        try await withDatabase { database in
            try await database.write { try Self.fill($0, items: 30) }
            let whole = try await Self.page(database, .samples)
            #expect(whole.failed == [] && whole.ids.filter { $0.hasPrefix("c") }.count == 10)
            let sources = FeedSources()
            sources.add(of: [
                GatewayDomain(
                    "samples",
                    feedItemSources: [
                        try #require(FeedSources.samples.items(of: .share)),
                        FeedItemSource(.concert) { reader, _, _ in
                            _ = try reader.rows("SELECT nothing FROM no_table")
                            throw Broken()
                        },
                    ])
            ])
            let rest = try await Self.page(database, sources)
            #expect(rest.failed == [.concert])
            #expect(rest.ids == (10..<30).reversed().map { "s\($0)" })
        }
    }

    @Test("Muted kinds and hidden items are left out, and the page is full nevertheless")
    func filters() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                try Self.fill(transaction, items: 60)
                for number in 20..<60 where number % 2 == 0 {
                    try transaction.feed.hide(.share, "s\(number)", of: "ada", now: Self.moment(0))
                }
                try transaction.feed.mute(.concert, of: "ada", now: Self.moment(0))
            }
            let page = try await Self.page(database, .samples)
            #expect(page.ids == (20..<60).reversed().filter { $0 % 2 == 1 }.map { "s\($0)" })
        }
    }

    @Test("A page looks at a bounded number of items, and its cursor goes on from there")
    func boundedPages() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                try Self.fill(transaction, items: 100)
                for number in 3..<100 {
                    try transaction.feed.hide(.share, "s\(number)", of: "ada", now: Self.moment(0))
                }
                try transaction.feed.mute(.concert, of: "ada", now: Self.moment(0))
            }
            let pages = try await database.read { transaction -> [[String]] in
                let viewer = try #require(try transaction.visibility.viewer(userID: "ada"))
                var feed = FeedReader(reader: transaction, viewer: viewer, sources: .samples, leftOut: [])
                feed.mostItems = 80
                var (pages, position): ([[String]], TimelinePosition?) = ([], nil)
                repeat {
                    let page = try feed.page(below: position, limit: 20)
                    pages.append(page.items.map(\.content.id))
                    position = page.next
                } while position != nil
                return pages
            }
            #expect(pages == [[], [], ["s2", "s1", "s0"]])
        }
    }

    @Test("Items that follow each other have equal fold keys by kind, source and day, and shares by their sender")
    func foldKeys() async throws {
        try await withDatabase { database in
            try await database.write { try Self.fill($0, items: 2) }
            let (page, _) = try await FeedReader.read("ada", of: .samples, in: database) {
                try $1?.page(limit: 20) ?? FeedPage()
            }
            let day = FeedHistory.noon.description.prefix(10)
            #expect(Set(page.items.map(\.foldKey)) == ["share:bob:\(day)", "concert:venue:\(day)"])
        }
    }

    @Test("Whoever is suspended or gone reads nothing")
    func suspended() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                try Self.fill(transaction, items: 3)
                try transaction.visibility.suspend(userID: "ada")
            }
            let page = try await Self.page(database, .samples)
            #expect(page.ids == [])
        }
    }
}
