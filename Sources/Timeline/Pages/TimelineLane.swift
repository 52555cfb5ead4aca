import Storage
import Visibility

/// Items of one origin in the order of feeds. Lanes read as much as is asked of them, so that a page that leaves out
/// many items goes on without reading anything twice.
package protocol TimelineLane {
    /// The next item; `nil` at the end.
    mutating func first() throws -> TimelineItem?
    /// Goes on to the item after ``first()``.
    mutating func removeFirst()
}

/// Items that one statement reads in order, a few at a time.
package struct StatementLane: TimelineLane {
    /// Reads the items of up to `limit` rows below a position, in the order of feeds, and how far it read; `nil` at the
    /// end.
    package typealias Read =
        (_ position: TimelinePosition, _ limit: Int) throws -> (items: [TimelineItem], end: TimelinePosition?)

    private let read: Read
    private var items: ArraySlice<TimelineItem> = []
    private var position: TimelinePosition
    private var isAtEnd = false
    private var limit = 8

    /// - Parameter position: the items begin below it; `nil` for the first item.
    package init(below position: TimelinePosition?, read: @escaping Read) {
        self.position = position ?? .top
        self.read = read
    }

    package mutating func first() throws -> TimelineItem? {
        while items.isEmpty, !isAtEnd {
            let (found, end) = try read(position, limit)
            items = found[...]
            if let end { position = end } else { isAtEnd = true }
            limit = min(limit * 2, 64)
        }
        return items.first
    }

    package mutating func removeFirst() { items.removeFirst() }
}

/// All items of a feed in order: those of several lanes. An item of several lanes is there once.
package struct TimelineMerge: TimelineLane {
    private var lanes: [any TimelineLane]
    /// The lanes whose next item is the one that ``first()`` returned.
    private var current: [Int] = []

    package init(_ lanes: [any TimelineLane]) {
        self.lanes = lanes
    }

    package mutating func first() throws -> TimelineItem? {
        var best: TimelineItem?
        current = []
        for index in lanes.indices {
            guard let item = try lanes[index].first() else { continue }
            if let known = best, known.position >= item.position {
                if known.position == item.position { current.append(index) }
            } else {
                best = item
                current = [index]
            }
        }
        return best
    }

    package mutating func removeFirst() {
        for index in current { lanes[index].removeFirst() }
        current = []
    }

    /// The next items; fewer than `count` only at the end.
    package mutating func next(_ count: Int) throws -> [TimelineItem] {
        var items: [TimelineItem] = []
        while items.count < count, let item = try first() {
            items.append(item)
            removeFirst()
        }
        return items
    }
}

/// How a feed is read.
package struct TimelineMethod: Sendable {
    /// Who follows more people gets the newest items of everybody first, as far as they are of authors whom the reader
    /// follows.
    package var manyFollows: Int
    /// How many of the newest items are looked at, in one statement after the other.
    package var windows: [Int]

    package init(manyFollows: Int = 1_000, windows: [Int] = [500, 1_500]) {
        (self.manyFollows, self.windows) = (manyFollows, windows)
    }
}

extension TimelineStore {
    /// The items of a viewer's feed in order: of the people whom the viewer follows and whose profile the viewer may see
    /// at this moment, of the topics that the viewer reads, and of the viewer alone.
    ///
    /// - Parameters:
    ///   - position: the items begin below it; `nil` for the first page.
    ///   - lanes: further items, which begin below the position as well.
    package func feed(
        of viewer: Viewer, below position: TimelinePosition?, beside lanes: [any TimelineLane] = [],
        method: TimelineMethod = TimelineMethod()
    ) throws -> TimelineMerge {
        let start = position ?? .top
        let isWindowed =
            try transaction.visibility.followingCount(of: viewer.key, limit: method.manyFollows + 1)
            > method.manyFollows
        let shared: [any TimelineLane] =
            isWindowed
            ? [WindowLane(transaction, viewer: viewer, below: start, windows: method.windows)]
            : AuthorSet.allCases.map { AuthorLane(transaction, $0, viewer: viewer, below: start) }
        let own = StatementLane(below: position) { [transaction] position, limit in
            let rows = try transaction.rows(
                """
                SELECT kind, score, number, change FROM timeline_own_items
                WHERE person = \(viewer.key) AND (score, number) < (\(position.score), \(position.number))
                ORDER BY score DESC, number DESC LIMIT \(limit)
                """)
            let end = rows.count < limit ? nil : try rows.last.map(TimelinePosition.init)
            return (try rows.compactMap(TimelineItem.init), end)
        }
        return TimelineMerge(shared + [own] + lanes)
    }

    /// The authors among `authors` whose items a viewer may see: topics, and people who show the viewer their profile.
    func visible(_ authors: some Sequence<TimelineAuthor>, to viewer: Viewer) throws -> Set<TimelineAuthor> {
        var visible = Set(authors)
        let people = visible.filter(\.isPerson)
        guard !people.isEmpty else { return visible }
        visible.subtract(people)
        for part in people.listParts {
            try transaction.forEachRow(
                """
                SELECT people.key FROM people
                WHERE people.key IN (\(list: part)) AND \(Facet.profile.condition(for: viewer))
                """
            ) { row in
                visible.insert(TimelineAuthor(rawValue: try row["key"]))
                return .continue
            }
        }
        return visible
    }
}
