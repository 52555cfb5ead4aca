import Model
import Storage

/// The place of an item in every feed that has it. Feeds show the greatest first.
package struct TimelinePosition: Hashable, Comparable, Sendable {
    /// ``TimelineKind/score(of:)``.
    package let score: Int64
    /// Decides between items with equal scores; unique among all items.
    package let number: Int64

    package init(score: Int64, number: Int64) {
        (self.score, self.number) = (score, number)
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.score, left.number) < (right.score, right.number)
    }

    /// - Parameter row: with `score` and `number`.
    package init(row: Row) throws {
        self.init(score: try row["score"], number: try row["number"])
    }

    /// Before all items.
    static let top = TimelinePosition(score: .max, number: .max)
}

/// An item of a feed, without its content.
package struct TimelineItem: Hashable, Sendable {
    package let kind: TimelineKind
    package let position: TimelinePosition
    /// The key of the row with its content, in the domain of the kind: the number, unless the item has no row of its
    /// own in the timeline.
    package let subject: Int64
    /// The number of its last change.
    package let change: Int64

    package init(kind: TimelineKind, position: TimelinePosition, subject: Int64? = nil, change: Int64) {
        (self.kind, self.position, self.change) = (kind, position, change)
        self.subject = subject ?? position.number
    }

    /// - Parameter row: with `kind`, `score`, `number` and `change`.
    /// - Returns: `nil` for an item of a kind that a later version has written.
    init?(row: Row) throws {
        guard let kind = TimelineKind(rawValue: try row["kind"]) else { return nil }
        self.init(
            kind: kind, position: try TimelinePosition(row: row), change: try row["change"])
    }

    /// When it was made or first seen, in whole milliseconds.
    package var moment: Timestamp { kind.moment(ofScore: position.score) }
}
