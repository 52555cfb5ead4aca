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
    ) async throws -> (ids: [String], failed: [FeedSourceFailure.Source]) {
        let (page, failures) = try await FeedReader.read("ada", of: sources, in: database) {
            try $1?.page(limit: limit) ?? FeedPage()
        }
        return (page.items.map(\.content.id), failures.map(\.source))
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
                        FeedItemSource(.concert) { _, _, _ in
                            [:]
                        } contents: { reader, _, _ in
                            _ = try reader.rows("SELECT nothing FROM no_table")
                            throw Broken()
                        },
                    ])
            ])
            let rest = try await Self.page(database, sources)
            #expect(rest.failed == [.items(.concert)])
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

    /// Hidden items of Ada, the latest first, by their ids, with the version that is shown of each.
    private static func hidden(
        _ database: Database, _ sources: FeedSources
    ) async throws -> (shown: [[String]], failed: [FeedSourceFailure.Source]) {
        let (shown, failures) = try await FeedReader.read("ada", of: sources, in: database) { transaction, feed in
            let feed = try #require(feed)
            let items = try transaction.feed.hiddenItems(of: feed.viewer.key, after: nil, limit: 100).items
            return try feed.withContents(items).map { [$0.id, $1?.id ?? "nothing"] }
        }
        return (shown, failures.map(\.source))
    }

    @Test("A hidden item is shown in its latest revision, what is gone by its id alone, and a failing source is named")
    func hiddenItems() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                try Self.fill(transaction, items: 2)
                let city = try transaction.timeline.author(of: .city(key: "brno"))
                try transaction.feed.hide(.concert, "c0.1", of: "ada", now: Self.moment(0))
                try transaction.addItem(.concert, "c0.2", of: "venue", by: [city], moment: Self.moment(9))
                try transaction.feed.hide(.share, "s1", of: "ada", now: Self.moment(0))
                try transaction.feed.hide(.share, "never", of: "ada", now: Self.moment(0))
                try transaction.feed.hide(.concert, "a.b.1", of: "ada", now: Self.moment(0))
            }
            let whole = try await Self.hidden(database, .samples)
            #expect(whole.failed == [])
            #expect(
                whole.shown == [["a.b", "nothing"], ["never", "nothing"], ["s1", "s1"], ["c0", "c0.2"]])
            let broken = FeedSources()
            broken.add(of: [
                GatewayDomain(
                    "samples",
                    feedItemSources: [
                        try #require(FeedSources.samples.items(of: .share)),
                        FeedItemSource(.concert) { _, _, _ in
                            throw Broken()
                        } contents: { _, _, _ in
                            [:]
                        },
                    ])
            ])
            let rest = try await Self.hidden(database, broken)
            #expect(rest.failed == [.items(.concert)])
            #expect(rest.shown.map { $0[1] } == ["nothing", "nothing", "s1", "nothing"])
            // By the id with a revision, by the one without, and by one without that has a period.
            try await database.write { transaction in
                for id in ["c0.7", "a.b"] { try transaction.feed.show(.concert, id, of: "ada") }
                for id in ["s1", "never", "other"] { try transaction.feed.show(.share, id, of: "ada") }
            }
            let none = try await Self.hidden(database, .samples)
            #expect(none.shown == [])
        }
    }

    @Test("A content that is the same for all is made once for all readers, and again after the item's next change")
    func sharedContents() async throws {
        try await withDatabase { database in
            let item = try await database.write { transaction in
                try Self.fill(transaction, items: 0)
                try transaction.visibility.add(userID: "eve")
                try transaction.timeline.setTopics([.city(key: "brno")], of: "eve", because: .homeCity)
                let city = try transaction.timeline.author(of: .city(key: "brno"))
                return try transaction.addItem(.release, "r", of: "artist", by: [city], moment: Self.moment(1))
            }
            let made = Collector<Int64>()
            let release = try #require(FeedSources.samples.items(of: .release))
            let sources = FeedSources()
            sources.add(of: [
                GatewayDomain(
                    "samples",
                    feedItemSources: [
                        FeedItemSource(.release, isSameForAll: true, subjects: release.subjects) {
                            reader, viewer, subjects in
                            for subject in subjects { made.append(subject) }
                            return try release.contents(reader, viewer, subjects)
                        }
                    ])
            ])
            func versions() async throws -> [String] {
                var shown: [String] = []
                for reader in ["ada", "eve", "ada"] {
                    let (page, _) = try await FeedReader.read(reader, of: sources, in: database) {
                        try $1?.page(limit: 20) ?? FeedPage()
                    }
                    shown += page.items.map { String(decoding: $0.content.json, as: UTF8.self) }
                }
                return shown
            }
            #expect(try await versions() == Array(repeating: #"{"source":"artist","version":1}"#, count: 3))
            #expect(made.elements == [item.number])
            try await database.write { try $0.edit(item) }
            #expect(try await versions() == Array(repeating: #"{"source":"artist","version":2}"#, count: 3))
            #expect(made.elements == [item.number, item.number])
            // What one of them has hidden is hidden from that one alone.
            try await database.write { try $0.feed.hide(.release, "r", of: "eve", now: Self.moment(2)) }
            #expect(try await versions().count == 2)
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
