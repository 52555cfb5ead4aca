import Collections
import Storage
import Visibility

/// Whose items a person has in the feed.
enum AuthorSet: CaseIterable {
    /// Those whom the person follows.
    case people
    /// The topics that the person reads.
    case topics

    /// The latest scores of these authors: `FROM … WHERE …`, with the table `latest`.
    func latest(for viewer: Viewer) -> SQL {
        switch self {
        case .people:
            """
            FROM follows CROSS JOIN timeline_latest AS latest
            WHERE follows.follower = \(viewer.key) AND latest.author = follows.followed
            """
        case .topics:
            """
            FROM timeline_topic_readers CROSS JOIN timeline_latest AS latest
            WHERE timeline_topic_readers.person = \(viewer.key) AND latest.author = timeline_topic_readers.topic
            """
        }
    }

    /// Whether a person has the items of the author of a row of `timeline_items`.
    func membership(of viewer: Viewer) -> SQL {
        switch self {
        case .people:
            """
            EXISTS (
                SELECT 1 FROM follows
                WHERE follows.follower = \(viewer.key) AND follows.followed = timeline_items.author)
            """
        case .topics:
            """
            EXISTS (
                SELECT 1 FROM timeline_topic_readers
                WHERE timeline_topic_readers.person = \(viewer.key)
                    AND timeline_topic_readers.topic = timeline_items.author)
            """
        }
    }
}

/// The items of the authors of a set.
///
/// It finds the authors with the newest items first, by one seek for each author, or none where the author's latest item
/// is below the position; and then the newest items of these alone. An author whose newest item is older than those of
/// twenty others has none among the twenty newest items.
struct AuthorLane<Reader: SQLReader>: TimelineLane {
    /// An author with items that have not been read.
    private struct Source: Comparable {
        let author: TimelineAuthor
        /// No item that was not read has a higher score.
        let score: Int64
        /// The items that were not read are below it.
        let position: TimelinePosition
        let limit: Int

        static func < (left: Self, right: Self) -> Bool { left.score < right.score }
    }

    private struct Element: Comparable {
        let item: TimelineItem

        static func < (left: Self, right: Self) -> Bool { left.item.position < right.item.position }
    }

    /// The last of the authors that were found, in the order of their newest items.
    private struct Last {
        let score: Int64
        let author: Int64
    }

    private let reader: Reader
    private let authors: AuthorSet
    private let viewer: Viewer
    private let start: TimelinePosition
    /// `nil` when all authors have been found.
    private var last: Last? = Last(score: .max, author: .max)
    private var authorLimit = 32
    private var sources = Heap<Source>()
    private var items = Heap<Element>()

    init(_ reader: Reader, _ authors: AuthorSet, viewer: Viewer, below position: TimelinePosition) {
        (self.reader, self.authors, self.viewer, start) = (reader, authors, viewer, position)
    }

    mutating func first() throws -> TimelineItem? {
        while true {
            let best = items.max?.item
            // An author with an equal score may have an item with a higher number. Those who are found are read before
            // others are looked for, so that few are.
            if let source = sources.max, source.score >= best?.position.score ?? .min {
                sources.removeMax()
                try readItems(of: source)
            } else if let last, last.score >= best?.position.score ?? .min {
                try findAuthors(after: last)
            } else {
                return best
            }
        }
    }

    mutating func removeFirst() {
        guard let first = items.popMax() else { return }
        // The other topics that have the item.
        while items.max?.item.position == first.item.position { items.removeMax() }
    }

    /// Finds the authors with the newest items below the start.
    private mutating func findAuthors(after last: Last) throws {
        // The limit within keeps the database from looking for an author's newest item several times.
        let found = try reader.map(
            """
            SELECT author, newest FROM (
                SELECT latest.author AS author, CASE WHEN latest.score < \(start.score) THEN latest.score ELSE (
                    SELECT items.score FROM timeline_items AS items
                    WHERE items.author = latest.author
                        AND (items.score, items.number) < (\(start.score), \(start.number))
                    ORDER BY items.score DESC, items.number DESC LIMIT 1) END AS newest
                \(authors.latest(for: viewer)) LIMIT \(mostAuthors)) AS authors
            WHERE (newest, author) < (\(last.score), \(last.author))
            ORDER BY newest DESC, author DESC LIMIT \(authorLimit)
            """
        ) { row in Last(score: try row["newest"], author: try row["author"]) }
        self.last = found.count < authorLimit ? nil : found.last
        authorLimit *= 2
        let visible = try reader.timeline.visible(
            found.map { TimelineAuthor(rawValue: $0.author) }, to: viewer)
        var former: TimelineAuthor?
        for one in found {
            let author = TimelineAuthor(rawValue: one.author)
            // A topic that is read for two reasons is found twice.
            guard visible.contains(author), author != former else { continue }
            former = author
            sources.insert(Source(author: author, score: one.score, position: start, limit: 8))
        }
    }

    private mutating func readItems(of source: Source) throws {
        let rows = try reader.rows(
            """
            SELECT kind, score, number, change FROM timeline_items
            WHERE author = \(source.author)
                AND (score, number) < (\(source.position.score), \(source.position.number))
            ORDER BY score DESC, number DESC LIMIT \(source.limit)
            """)
        for item in try rows.compactMap(TimelineItem.init) { items.insert(Element(item: item)) }
        guard rows.count == source.limit, let last = rows.last else { return }
        let position = try TimelinePosition(row: last)
        sources.insert(
            Source(
                author: source.author, score: position.score, position: position, limit: min(source.limit * 2, 64)))
    }
}

/// More than any person follows or reads.
private let mostAuthors = 1_000_000
