import Model
import Storage
import Timeline
import Visibility

/// How far a person has read the feed.
package struct FeedMark: Sendable, Equatable {
    /// The highest item that was read.
    package let position: TimelinePosition
    package let change: Int64

    init(row: Row) throws {
        position = try TimelinePosition(row: row)
        change = try row["change"]
    }
}

extension FeedStore {
    /// How far a person has read; `nil` for somebody who has not read anything.
    package func mark(of person: PersonKey) throws -> FeedMark? {
        try transaction.row("SELECT score, number, change FROM feed_marks WHERE person = \(person)")
            .map(FeedMark.init)
    }

    /// Whether somebody has to be noted as opening the feed: it is the first time, or another day (UTC) than the last
    /// time. A last time in the future is from a clock that was ahead.
    package func isOpening(by person: PersonKey, now: Timestamp) throws -> Bool {
        guard
            let last: Timestamp = try transaction.row(
                "SELECT last_at FROM feed_openings WHERE person = \(person)")?["last_at"]
        else { return true }
        return last.day != now.day
    }
}

extension FeedStore where Access == WriteTransaction {
    /// Moves the mark of a person forward. A position that is not above it changes nothing, so that a late request or a
    /// device that is behind never takes it back.
    ///
    /// - Returns: the mark as it is now.
    /// - Throws: ``FeedRefusal/unknownPerson``.
    package func moveMark(to position: TimelinePosition, of userID: String) throws -> FeedMark {
        let person = try person(userID)
        let hasMoved =
            try transaction.execute(
                """
                INSERT INTO feed_marks (person, score, number, change)
                VALUES (\(person), \(position.score), \(position.number), \(try transaction.nextChange()))
                ON CONFLICT (person) DO UPDATE
                SET score = excluded.score, number = excluded.number, change = excluded.change
                WHERE (excluded.score, excluded.number) > (feed_marks.score, feed_marks.number)
                """) == 1
        if hasMoved { transaction.recordChange(of: [userID], topic: .feed) }
        guard let mark = try mark(of: person) else { throw FeedRefusal.unknownPerson }
        return mark
    }

    /// Notes that a person opens the feed.
    ///
    /// - Returns: whether it is the first time; `nil` if it has been noted today.
    /// - Throws: ``FeedRefusal/unknownPerson``.
    package func open(by userID: String, now: Timestamp) throws -> Bool? {
        let person = try person(userID)
        guard try isOpening(by: person, now: now) else { return nil }
        let isFirst = try transaction.row("SELECT 1 FROM feed_openings WHERE person = \(person)") == nil
        try transaction.run(
            """
            INSERT INTO feed_openings (person, first_at, last_at) VALUES (\(person), \(now), \(now))
            ON CONFLICT (person) DO UPDATE SET last_at = excluded.last_at
            """)
        return isFirst
    }

    /// - Throws: ``FeedRefusal/unknownPerson``.
    func person(_ userID: String) throws -> PersonKey {
        guard let viewer = try transaction.visibility.viewer(userID: userID) else { throw FeedRefusal.unknownPerson }
        return viewer.key
    }
}

extension Timestamp {
    /// The day (UTC), such as `2026-11-28`.
    package var day: Substring { description.prefix(10) }
}
