import DomainEvents
import Jobs
import Model
import Storage
import TestSupport
import Testing
import Timeline
import Visibility

@testable import Feed

@Suite("Marks, hidden items and topics")
struct FeedStoreTests {
    private static let noon = FeedHistory.noon

    @Test("The mark only moves up, and says where it is")
    func marks() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                try transaction.visibility.add(userID: "ada")
                func move(_ score: Int64, _ number: Int64) throws -> TimelinePosition {
                    try transaction.feed.moveMark(
                        to: TimelinePosition(score: score, number: number), of: "ada"
                    ).position
                }
                #expect(try move(5, 5) == TimelinePosition(score: 5, number: 5))
                #expect(try move(5, 4) == TimelinePosition(score: 5, number: 5))
                #expect(try move(4, 9) == TimelinePosition(score: 5, number: 5))
                #expect(try move(5, 6) == TimelinePosition(score: 5, number: 6))
                #expect(try move(6, 1) == TimelinePosition(score: 6, number: 1))
            }
            await #expect(throws: FeedRefusal.unknownPerson) {
                _ = try await database.write {
                    try $0.feed.moveMark(to: TimelinePosition(score: 1, number: 1), of: "nobody")
                }
            }
        }
    }

    @Test("Marks of many devices at once end at the highest one")
    func marksAtOnce() async throws {
        try await withDatabase { database in
            try await database.write { _ = try $0.visibility.add(userID: "ada") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for score in (1...40).shuffled() {
                    group.addTask {
                        _ = try await database.write {
                            try $0.feed.moveMark(to: TimelinePosition(score: Int64(score), number: 1), of: "ada")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let mark = try await database.read { reader in
                try reader.visibility.key(ofUser: "ada").flatMap { try reader.feed.mark(of: $0) }
            }
            #expect(mark?.position.score == 40)
        }
    }

    @Test("Hiding a revision hides all of them, and other kinds and people keep theirs")
    func hiding() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                let ada = try transaction.visibility.add(userID: "ada")
                let bob = try transaction.visibility.add(userID: "bob")
                try transaction.feed.hide(.concert, "c1.2", of: "ada", now: Self.noon)
                try transaction.feed.hide(.concert, "c1.2", of: "ada", now: Self.noon)
                try transaction.feed.hide(.share, "s1", of: "ada", now: Self.noon)
                let ids = ["c1.1", "c1.2", "c1.10", "c2.1", "s1"]
                #expect(
                    try transaction.feed.hidden(.concert, among: ids, by: ada) == ["c1.1", "c1.2", "c1.10"])
                #expect(try transaction.feed.hidden(.share, among: ids, by: ada) == ["s1"])
                #expect(try transaction.feed.hidden(.concert, among: ids, by: bob) == [])
                #expect(try transaction.feed.hidden(.concert, among: [String](), by: ada) == [])
                let gone = try transaction.rows("SELECT item FROM gone_items WHERE user_id = \("ada") ORDER BY change")
                    .map { try $0["item"] as String }
                #expect(gone == ["concert:c1.2", "share:s1"])
                try transaction.feed.show(.concert, "c1.7", of: "ada")
                #expect(try transaction.feed.hidden(.concert, among: ids, by: ada) == [])
                let (items, next) = try transaction.feed.hiddenItems(of: ada, after: nil, limit: 1)
                #expect(items.map(\.id) == ["s1"] && next == nil)
            }
        }
    }

    @Test("Items that are hidden and shown again and again leave one row each, and are hidden only so often")
    func repeatedHiding() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                try transaction.visibility.add(userID: "ada")
                for _ in 0..<50 {
                    for item in ["s1", "s2"] {
                        try transaction.feed.hide(.share, item, of: "ada", now: Self.noon)
                        try transaction.feed.show(.share, item, of: "ada")
                    }
                }
                let gone = try transaction.goneItems(userID: "ada", after: 0, limit: 1_000)
                #expect(gone.map(\.id) == ["share:s1", "share:s2"])
                for number in 100..<500 {
                    try transaction.feed.hide(.share, "n\(number)", of: "ada", now: Self.noon)
                }
            }
            await #expect(throws: ActLimitReached.self) {
                try await database.write { try $0.feed.hide(.share, "n500", of: "ada", now: Self.noon) }
            }
            // What is hidden counts as nothing, and the limit comes back little by little.
            try await database.write { transaction in
                try transaction.feed.hide(.share, "n499", of: "ada", now: Self.noon)
                try transaction.feed.hide(.share, "n500", of: "ada", now: Self.noon.advanced(by: .seconds(173)))
            }
        }
    }

    @Test("Hidden items have a limit, and pages that follow each other")
    func hiddenPages() async throws {
        try await withDatabase { database in
            let limit = FeedStore<WriteTransaction>.maximumHiddenItems
            let ada = try await database.write { transaction in
                let ada = try transaction.visibility.add(userID: "ada")
                for number in 0..<limit {
                    try transaction.run(
                        """
                        INSERT INTO feed_hidden_items (person, kind, item, hidden_at, change)
                        VALUES (\(ada), 1, \("s\(number)"), 0, \(number + 1))
                        """)
                }
                return ada
            }
            await #expect(throws: FeedRefusal.tooManyHiddenItems(limit: limit)) {
                try await database.write { try $0.feed.hide(.share, "one more", of: "ada", now: Self.noon) }
            }
            // One that is hidden already is no further one.
            try await database.write { try $0.feed.hide(.share, "s1", of: "ada", now: Self.noon) }
            let ids = try await database.read { reader -> [String] in
                var (ids, cursor): ([String], String?) = ([], nil)
                repeat {
                    let after = try cursor.map { try #require(FeedStore<ReadTransaction>.hiddenCursor($0)) }
                    let page = try reader.feed.hiddenItems(of: ada, after: after, limit: 3_000)
                    ids += page.items.map(\.id)
                    cursor = page.nextCursor
                } while cursor != nil
                return ids
            }
            #expect(ids == (0..<limit).reversed().map { "s\($0)" })
        }
    }

    @Test("Topics are read as long as there is a reason, from the transaction of the change on")
    func topics() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                let ada = try transaction.visibility.add(userID: "ada")
                func names() throws -> Set<String> {
                    Set(try transaction.timeline.topics(readBy: ada).map(\.name))
                }
                func resets() throws -> Int64 {
                    try transaction.row("SELECT change FROM timeline_resets WHERE person = \(ada)")?["change"] ?? 0
                }
                try transaction.publish(RankedArtistsChanged(userID: "ada", artistKeys: ["a", "b"]))
                #expect(try names() == ["artist:a", "artist:b", "releases:a", "releases:b"])
                try transaction.publish(TopArtistsChanged(userID: "ada", artistKeys: ["b", "c"]))
                try transaction.publish(ConcertCityChanged(userID: "ada", cityKey: "cz:brno"))
                #expect(
                    try names() == [
                        "artist:a", "artist:b", "releases:a", "releases:b", "releases:c", "city:cz:brno",
                    ])
                let before = try resets()
                // For the other reason, the releases are still read.
                try transaction.publish(RankedArtistsChanged(userID: "ada", artistKeys: ["a"]))
                #expect(try names() == ["artist:a", "releases:a", "releases:b", "releases:c", "city:cz:brno"])
                #expect(try resets() > before)
                let then = try resets()
                // What changes nothing is not reported.
                try transaction.publish(TopArtistsChanged(userID: "ada", artistKeys: ["b", "c", "a"]))
                #expect(try resets() == then)
                try transaction.publish(ConcertCityChanged(userID: "ada", cityKey: nil))
                #expect(try names() == ["artist:a", "releases:a", "releases:b", "releases:c"])
                // Nobody reads anything for somebody who is gone.
                try transaction.visibility.close(userID: "ada")
                try transaction.publish(ConcertCityChanged(userID: "ada", cityKey: "cz:praha"))
                #expect(try names().count == 4)
            }
        }
    }

    @Test("Topics without readers and items are deleted, and a new one has another key")
    func unusedTopics() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                try transaction.visibility.add(userID: "ada")
                let topics = (0..<10).map { TimelineTopic.artist(key: "\($0)") }
                let authors = try topics.map { try transaction.timeline.author(of: $0) }
                #expect(Set(authors).count == 10 && authors.allSatisfy { $0.rawValue < 0 })
                #expect(try transaction.timeline.author(of: topics[3]) == authors[3])
                try transaction.timeline.setTopics([topics[3]], of: "ada", because: .rankedArtist)
                try transaction.addItem(.concert, "c", of: "", by: [authors[5]], moment: Self.noon)
                var last: TimelineAuthor?
                repeat {
                    let unused = try transaction.timeline.unusedTopics(after: last, limit: 3)
                    last = unused.last
                    while try transaction.timeline.deleteUnused(unused.topics, limit: 2) > 0 {}
                } while last != nil
                // What is used in the meantime stays.
                #expect(try transaction.timeline.deleteUnused(authors, limit: 100) == 0)
                let left = try transaction.rows("SELECT name FROM timeline_topics").map { try $0["name"] as String }
                #expect(Set(left) == ["artist:3", "artist:5"])
                #expect(try transaction.timeline.author(of: topics[3]) == authors[3])
                #expect(try !authors.contains(transaction.timeline.author(of: topics[0])))
            }
        }
    }

    @Test("A person opens the feed for the first time once, and then once a day")
    func openings() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                try transaction.visibility.add(userID: "ada")
                func open(_ seconds: Int) throws -> Bool? {
                    try transaction.feed.open(by: "ada", now: Self.noon.advanced(by: .seconds(seconds)))
                }
                #expect(try open(0) == true)
                #expect(try open(1) == nil)
                #expect(try open(86_400) == false)
                #expect(try open(86_401) == nil)
                // From a clock that was ahead.
                #expect(try open(0) == false)
            }
        }
    }

    @Test("Items that are gone are forgotten after 30 days, and who was away for longer reads everything again")
    func pruning() async throws {
        try await withDatabase { database in
            let (viewer, before) = try await database.write { transaction -> (Viewer, Int64) in
                let ada = try transaction.visibility.add(userID: "ada")
                let bob = try transaction.visibility.add(userID: "bob")
                try transaction.visibility.follow(bob, by: ada, now: Self.noon)
                let items = try (0..<3).map {
                    try transaction.addItem(.share, "\($0)", of: "bob", by: [TimelineAuthor(bob)], moment: Self.noon)
                }
                let before = try transaction.nextChange()
                for (days, item) in items.enumerated() {
                    try transaction.remove(item, now: Self.noon.advanced(by: .seconds(86_400 * days)))
                }
                return (try #require(try transaction.visibility.viewer(userID: "ada")), before)
            }
            func changes() async throws -> [TimelineChange.Content] {
                try await database.read {
                    try $0.timeline.changes(for: viewer, after: before, limit: 100).map(\.content)
                }
            }
            #expect(try await changes() == [.gone(id: "share:0"), .gone(id: "share:1"), .gone(id: "share:2")])
            let later = PruningTime.unguarded(Self.noon.advanced(by: .seconds(86_400 + 1)))
            let pruned = try await database.write { try $0.timeline.pruneGoneItems(before: later, limit: 100) }
            #expect(pruned == 2)
            #expect(try await changes() == [.reset])
        }
    }
}
