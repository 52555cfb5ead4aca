import Model
import People
import Storage
import TestSupport
import Testing
import Timeline
import Visibility

@testable import Feed

@Suite("Feeds after a clock that was ahead")
struct FeedClockTests {
    private static let noon = FeedHistory.noon
    private static let ahead = noon.advanced(by: .seconds(365 * 86_400))
    /// When the clock is right again.
    private static let now = PruningTime.unguarded(noon.advanced(by: .seconds(3_600)))

    /// The numbers of a person's feed, the first on top, without follows.
    private static func feed(of userID: String, in reader: some SQLReader) throws -> [TimelineItem] {
        let viewer = try #require(try reader.visibility.viewer(userID: userID))
        var merge = try reader.timeline.feed(of: viewer, below: nil)
        return try merge.next(100)
    }

    private static func move(in transaction: WriteTransaction) throws {
        while try transaction.timeline.moveItemsAhead(to: now, limit: 2) > 0 {}
        while try transaction.feed.moveMarksAhead(to: now, limit: 2) > 0 {}
    }

    @Test("Items of the future come to the present in their order, and what was read stays read")
    func items() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                let (ada, bob) = (
                    try transaction.visibility.add(userID: "ada"), try transaction.visibility.add(userID: "bob")
                )
                try transaction.visibility.follow(bob, by: ada, now: Self.noon)
                let author = TimelineAuthor(bob)
                let old = try transaction.addItem(.share, "old", of: "bob", by: [author], moment: Self.noon)
                var future: [SampleItem] = []
                for number in 0..<3 {
                    future.append(
                        try transaction.addItem(
                            .share, "f\(number)", of: "bob", by: [author],
                            moment: Self.ahead.advanced(by: .seconds(number))))
                }
                let own = try transaction.addOwnItem(.recommendation, "own", for: ada, moment: Self.ahead)
                _ = try transaction.feed.moveMark(
                    to: TimelinePosition(
                        score: TimelineKind.share.score(of: future[1].moment), number: future[1].number), of: "ada")
                let before = try #require(transaction.lastChange)
                #expect(try transaction.timeline.hasItemsAhead(at: Self.now.moment))
                #expect(try transaction.feed.hasMarksAhead(at: Self.now.moment))

                try Self.move(in: transaction)
                #expect(try !transaction.timeline.hasItemsAhead(at: Self.now.moment))
                #expect(try !transaction.feed.hasMarksAhead(at: Self.now.moment))
                // A new one is above them, and they are above what was made before.
                let new = try transaction.addItem(
                    .share, "new", of: "bob", by: [author], moment: Self.now.moment.advanced(by: .seconds(60)))
                let expected = [new, own, future[2], future[1], future[0], old].map(\.number)
                let feed = try Self.feed(of: "ada", in: transaction)
                #expect(feed.map(\.position.number) == expected)
                let mark = try #require(try transaction.feed.mark(of: ada))
                let unread = feed.filter { $0.position > mark.position }.map(\.position.number)
                #expect(unread == [new, own, future[2]].map(\.number))
                #expect(mark.change > before)
                let viewer = try #require(try transaction.visibility.viewer(userID: "ada"))
                let changes = try transaction.timeline.changes(for: viewer, after: before, limit: 100)
                #expect(changes.contains { $0.content == .reset })
            }
        }
    }

    @Test("The domain finds a moved item by the moment that it keeps")
    func domains() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                let ada = try transaction.visibility.add(userID: "ada")
                let topics = try ["one", "two", "three"].map {
                    try transaction.timeline.author(of: .artist(key: $0))
                }
                try transaction.timeline.setTopics(
                    ["one", "two", "three"].map { .artist(key: $0) }, of: "ada", because: .rankedArtist)
                let item = try transaction.addItem(
                    .concert, "c", of: "concerts", by: Array(topics[..<2]), moment: Self.ahead)
                let own = try transaction.addOwnItem(.recommendation, "own", for: ada, moment: Self.ahead)
                try Self.move(in: transaction)
                // A further topic has it at the same place, so that it is shown once.
                try transaction.timeline.insert(.concert, number: item.number, by: [topics[2]], moment: Self.ahead)
                let feed = try Self.feed(of: "ada", in: transaction)
                #expect(feed.map(\.position.number) == [own, item].map(\.number))

                let before = try #require(transaction.lastChange)
                try transaction.timeline.touch(.concert, number: item.number, by: topics, moment: item.moment)
                let changed = try Self.feed(of: "ada", in: transaction).filter { $0.change > before }
                #expect(changed.map(\.position.number) == [item.number])
                #expect(try transaction.timeline.pruneMovedItems(limit: 10) == 0)
                try transaction.timeline.remove(
                    .concert, number: item.number, id: "c", by: topics, moment: item.moment, now: Self.noon)
                try transaction.removeOwn(own, for: ada, now: Self.noon)
                #expect(try Self.feed(of: "ada", in: transaction).isEmpty)
                #expect(try transaction.rows("SELECT 1 FROM timeline_latest").isEmpty)
                #expect(try transaction.timeline.pruneMovedItems(limit: 10) == 2)
            }
        }
    }

    @Test("A first follow of the future is not on top of what comes later")
    func follows() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                for name in ["ada", "bob", "cid"] { try transaction.visibility.add(userID: name) }
                for (name, seconds) in [("bob", 0), ("cid", 1)] {
                    _ = try transaction.people.follow(
                        "ada", by: name, now: Self.ahead.advanced(by: .seconds(seconds)))
                }
                #expect(try transaction.people.hasFollowsAhead(at: Self.now.moment))
                while try transaction.people.moveFollowsAhead(to: Self.now, limit: 1) > 0 {}
                #expect(try !transaction.people.hasFollowsAhead(at: Self.now.moment))
                let viewer = try #require(try transaction.visibility.viewer(userID: "ada"))
                let top = TimelinePosition(score: TimelineKind.latestScore(at: Self.ahead), number: .max)
                let items = try transaction.people.followItems(of: viewer, below: top, limit: 10).items
                let bob = try transaction.visibility.key(ofUser: "bob")?.rawValue
                #expect(items.count == 2 && items.last?.subject == bob)
                let present = TimelineKind.presentScore(at: Self.now.moment)
                #expect(items.allSatisfy { $0.position.score == present })
            }
        }
    }
}
