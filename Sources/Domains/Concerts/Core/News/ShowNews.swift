import Foundation
import Model
import Storage

/// Something that happened to an event: a row of `concert_news`.
package struct ShowNews: Hashable, Sendable {
    /// Its number among all news, by which timelines name it.
    package let number: Int64
    package let eventID: String
    /// Counts what happened to the event, from 1 for its announcement.
    package let revision: Int
    package let reason: NewsReason
    package let at: Timestamp
    package let changes: [ShowChange]

    /// The id in feeds: the event with the revision.
    package var id: String { "\(eventID).\(revision)" }

    static let columns = SQL(
        """
        concert_news.number, concert_news.event_id, concert_news.revision, concert_news.reason, concert_news.at,
        concert_news.changes
        """)

    init(number: Int64, eventID: String, revision: Int, reason: NewsReason, at: Timestamp, changes: [ShowChange]) {
        self.number = number
        self.eventID = eventID
        self.revision = revision
        self.reason = reason
        self.at = at
        self.changes = changes
    }

    init(row: Row) throws {
        number = try row["number"]
        eventID = try row["event_id"]
        revision = try row["revision"]
        reason = try row["reason"]
        at = try row["at"]
        changes = try Self.changes(stored: try row["changes"])
    }

    /// The text of changes in the table: JSON.
    static func stored(_ changes: [ShowChange]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(changes), as: UTF8.self)
    }

    private static func changes(stored text: String) throws -> [ShowChange] {
        try JSONDecoder().decode([ShowChange].self, from: Data(text.utf8))
    }
}

/// When an event was first found, and what happened to it, as far as lookups have seen it.
package struct ShowHistory: Hashable, Sendable {
    package let firstSeenAt: Timestamp?
    package let onSaleAt: Timestamp?
    package let movedAt: Timestamp?
    package let cancelledAt: Timestamp?
    /// When a lookup last found the event.
    package let checkedAt: Timestamp
    /// The latest first.
    package let news: [ShowNews]
}
