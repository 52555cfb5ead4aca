import Model
import Storage
import TestSupport
import Testing
import Visibility

@testable import Timeline

@Suite("Pages of the timeline")
struct TimelinePageTests {
    private static func moment(_ seconds: Int) -> Timestamp { FeedHistory.noon.advanced(by: .seconds(seconds)) }

    /// Adds people with the ids "0", "1" …, of whom the first follows the others.
    private static func addPeople(_ count: Int, in transaction: WriteTransaction) throws -> [PersonKey] {
        let people = try (0..<count).map { try transaction.visibility.add(userID: "\($0)") }
        for other in people.dropFirst() {
            try transaction.visibility.follow(other, by: people[0], now: moment(0))
        }
        return people
    }

    private static func ids(
        _ reader: ReadTransaction, below position: TimelinePosition? = nil, _ method: TimelineMethod = .init(),
        count: Int = 1_000
    ) throws -> [Int64] {
        let viewer = try #require(try reader.visibility.viewer(userID: "0"))
        var merge = try reader.timeline.feed(of: viewer, below: position, method: method)
        return try merge.next(count).map(\.position.number)
    }

    /// How many rows the connection has written.
    private static func totalChanges(_ transaction: WriteTransaction) throws -> Int {
        try transaction.row(.onlySQLite("SELECT total_changes() AS count"))?["count"] ?? 0
    }

    @Test("Both ways give the same pages from every position, also where many items have the same score")
    func bothWays() async throws {
        try await withDatabase { database in
            var random = SeededRandom(seed: 1)
            let positions = try await database.write { [random] transaction in
                var random = random
                let people = try Self.addPeople(40, in: transaction)
                let strangers = try (0..<40).map { try transaction.visibility.add(userID: "stranger \($0)") }
                var positions: [TimelinePosition] = []
                for number in 0..<600 {
                    let author = (number % 2 == 0 ? people : strangers).randomElement(using: &random) ?? people[1]
                    let item = try transaction.addItem(
                        .share, "\(number)", of: "", by: [TimelineAuthor(author)],
                        moment: Self.moment(Int.random(in: 0..<20, using: &random)))
                    positions.append(
                        TimelinePosition(score: TimelineKind.share.score(of: item.moment), number: item.number))
                }
                return positions
            }
            for position in positions.shuffled(using: &random).prefix(40) {
                for windows in [[1], [7, 30], [250, 1_750]] {
                    let both = try await database.read { reader in
                        (
                            try Self.ids(reader, below: position),
                            try Self.ids(reader, below: position, TimelineMethod(manyFollows: 0, windows: windows))
                        )
                    }
                    #expect(both.0 == both.1 && both.0.count > 0 || position == positions.min())
                }
            }
        }
    }

    @Test("Authors whose newest items have the same score are all found before one of these items is shown")
    func manyAuthorsWithOneScore() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                let people = try Self.addPeople(200, in: transaction)
                // The last item is of the author who is found last.
                for author in people.dropFirst().reversed() {
                    try transaction.addItem(.share, "", of: "", by: [TimelineAuthor(author)], moment: Self.moment(0))
                }
            }
            let numbers = try await database.read { try Self.ids($0) }
            #expect(numbers.count == 199 && numbers == numbers.sorted(by: >))
        }
    }

    @Test("An item of several topics is there once, wherever a page or a window ends")
    func severalTopics() async throws {
        try await withDatabase { database in
            let count = 30
            try await database.write { transaction in
                _ = try Self.addPeople(3, in: transaction)
                let topics = (0..<4).map { TimelineTopic.artist(key: "\($0)") }
                try transaction.timeline.setTopics(topics, of: "0", because: .rankedArtist)
                try transaction.timeline.setTopics(topics.prefix(2), of: "0", because: .topArtist)
                let authors = try topics.map { try transaction.timeline.author(of: $0) }
                for number in 0..<count {
                    try transaction.addItem(.concert, "\(number)", of: "", by: authors, moment: Self.moment(0))
                }
            }
            for size in 1...5 {
                let read = try await database.read { reader -> [Int64] in
                    let viewer = try #require(try reader.visibility.viewer(userID: "0"))
                    var (numbers, position): ([Int64], TimelinePosition?) = ([], nil)
                    while true {
                        var merge = try reader.timeline.feed(
                            of: viewer, below: position,
                            method: TimelineMethod(manyFollows: size % 2 == 0 ? 0 : 1_000, windows: [size, size]))
                        let page = try merge.next(size)
                        guard let last = page.last else { return numbers }
                        numbers += page.map(\.position.number)
                        position = last.position
                    }
                }
                #expect(read.count == count && Set(read).count == count && read == read.sorted(by: >))
            }
        }
    }

    @Test("A new item writes the same few rows, however many people follow its author")
    func rowsOfAnItem() async throws {
        try await withDatabase { database in
            func changes(_ body: @escaping @Sendable (WriteTransaction) throws -> Void) async throws -> Int {
                try await database.write { transaction in
                    let before = try Self.totalChanges(transaction)
                    try body(transaction)
                    return try Self.totalChanges(transaction) - before
                }
            }
            let people = try await database.write { try Self.addPeople(300, in: $0) }
            let share: @Sendable (WriteTransaction, Int) throws -> Void = { transaction, second in
                try transaction.timeline.insert(
                    .share, number: try transaction.nextChange(), by: [TimelineAuthor(people[1])],
                    moment: Self.moment(second))
            }
            let lonely = try await changes { try share($0, 1) }
            try await database.write { transaction in
                for follower in people.dropFirst(2) {
                    try transaction.visibility.follow(people[1], by: follower, now: Self.moment(0))
                }
            }
            let popular = try await changes { try share($0, 2) }
            #expect(lonely == popular && lonely == 2)
        }
    }

    @Test("Every statement of a page goes by an index")
    func plans() async throws {
        try await withDatabase { database in
            try await database.write { _ = try Self.addPeople(3, in: $0) }
            let plans = try await database.read { reader -> [String] in
                let viewer = try #require(try reader.visibility.viewer(userID: "0"))
                let position = TimelinePosition(score: 5, number: 5)
                return try AuthorSet.allCases.flatMap { authors in
                    try reader.plan(of: "SELECT latest.author " + authors.latest(for: viewer))
                        + reader.plan(
                            of: """
                                SELECT author FROM timeline_items
                                WHERE (score, number) < (\(position.score), \(position.number))
                                    AND \(authors.membership(of: viewer)) ORDER BY score DESC, number DESC LIMIT 20
                                """)
                }
                    + reader.plan(
                        of: """
                            SELECT kind, score, number, change FROM timeline_items
                            WHERE author = \(1) AND (score, number) < (\(position.score), \(position.number))
                            ORDER BY score DESC, number DESC LIMIT 8
                            """)
                    + reader.plan(
                        of: """
                            SELECT score FROM timeline_items
                            WHERE author = \(1) AND change > \(position.number) ORDER BY change LIMIT 8
                            """)
            }
            #expect(!plans.isEmpty)
            for step in plans { #expect(!step.hasPrefix("SCAN") && !step.contains("TEMP B-TREE"), "\(step)") }
        }
    }

    @Test("The latest score of an author follows what is added and removed, in any order")
    func latest() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                let author = TimelineAuthor(try Self.addPeople(2, in: transaction)[1])
                func latest() throws -> Int64? {
                    try transaction.row("SELECT score FROM timeline_latest WHERE author = \(author)")?["score"]
                }
                let items = try [5, 9, 7].map {
                    try transaction.addItem(.share, "\($0)", of: "", by: [author], moment: Self.moment($0))
                }
                let scores = items.map { TimelineKind.share.score(of: $0.moment) }
                #expect(try latest() == scores[1])
                try transaction.remove(items[1], now: Self.moment(10))
                #expect(try latest() == scores[2])
                try transaction.remove(items[0], now: Self.moment(10))
                #expect(try latest() == scores[2])
                try transaction.remove(items[2], now: Self.moment(10))
                #expect(try latest() == nil)
            }
        }
    }

    @Test("A score is the moment in milliseconds and the kind's constant, and gives the moment back")
    func scores() {
        let moment = Timestamp(microseconds: 1_796_076_000_123_456)
        #expect(TimelineKind.concert.score(of: moment) == 1_796_076_000_123)
        #expect(TimelineKind.share.score(of: moment) == 1_796_076_000_123 + 900_000)
        for kind in TimelineKind.allCases {
            #expect(kind.moment(ofScore: kind.score(of: moment)) == Timestamp(microseconds: 1_796_076_000_123_000))
            #expect(kind.score(of: Timestamp(microseconds: -5)) == kind.bonus)
            #expect(TimelineKind(name: kind.name) == kind)
            // Of an invented cursor.
            _ = kind.moment(ofScore: .max)
            _ = kind.moment(ofScore: .min)
        }
    }
}
