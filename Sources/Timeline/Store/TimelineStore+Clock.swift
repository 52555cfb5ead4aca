import Model
import Storage
import Visibility

/// Items that were made while the clock was ahead. They would stay on top of all feeds until their time, above what was
/// read.
extension TimelineStore {
    /// The score under which an item is stored.
    ///
    /// - Parameter moment: when it was made or first seen, as its domain keeps it.
    func score(of kind: TimelineKind, number: Int64, moment: Timestamp) throws -> Int64 {
        try transaction.row("SELECT score FROM timeline_moved_items WHERE number = \(number)")?["score"]
            ?? kind.score(of: moment)
    }

    /// Whether an item is above all that can have been made by a moment.
    package func hasItemsAhead(at now: Timestamp) throws -> Bool {
        let latest = TimelineKind.latestScore(at: now)
        return try transaction.row(
            """
            SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM timeline_items WHERE score > \(latest))
                OR EXISTS (SELECT 1 FROM timeline_own_items WHERE score > \(latest))
            """) != nil
    }
}

extension TimelineStore where Access == WriteTransaction {
    /// Moves items that were made while the clock was ahead to the present, in their order. Their domains find them as
    /// before, and all feeds are read again.
    ///
    /// - Parameter limit: of the rows that are moved.
    /// - Returns: how many were moved; fewer than `limit` at the end.
    package func moveItemsAhead(to now: PruningTime, limit: Int) throws -> Int {
        let latest = TimelineKind.latestScore(at: now.moment)
        let items = try transaction.map(
            """
            SELECT author, score, number FROM timeline_items
            WHERE score > \(latest) ORDER BY score, number LIMIT \(limit)
            """
        ) { row in (author: TimelineAuthor(rawValue: try row["author"]), place: try TimelinePosition(row: row)) }
        for item in items {
            let score = try movedScore(of: item.place.number, to: now.moment)
            try transaction.run(
                """
                UPDATE timeline_items SET score = \(score), change = \(try transaction.nextChange())
                WHERE author = \(item.author) AND score = \(item.place.score) AND number = \(item.place.number)
                """)
            try correctLatest(of: item.author)
            transaction.recordChange(ofAuthor: item.author.rawValue)
        }
        // Whoever has read an earlier change reads the feed again: the items are somewhere else in it.
        if !items.isEmpty {
            try transaction.run("UPDATE pruned_timeline_gone_items SET change = \(try transaction.nextChange())")
        }
        return try items.count + moveOwnItemsAhead(to: now.moment, latest: latest, limit: limit - items.count)
    }

    private func moveOwnItemsAhead(to now: Timestamp, latest: Int64, limit: Int) throws -> Int {
        let items = try transaction.map(
            """
            SELECT person, score, number FROM timeline_own_items
            WHERE score > \(latest) ORDER BY score, number LIMIT \(limit)
            """
        ) { row in (person: try row["person"] as PersonKey, place: try TimelinePosition(row: row)) }
        for item in items {
            let score = try movedScore(of: item.place.number, to: now)
            try transaction.run(
                """
                UPDATE timeline_own_items SET score = \(score), change = \(try transaction.nextChange())
                WHERE person = \(item.person) AND score = \(item.place.score) AND number = \(item.place.number)
                """)
        }
        for person in Set(items.map(\.person)) { try recordReset(of: person) }
        return items.count
    }

    /// The new score of an item, the same for all of its topics: that of the moment without a bonus, so that the numbers
    /// decide the order.
    private func movedScore(of number: Int64, to now: Timestamp) throws -> Int64 {
        let moved: Int64? = try transaction.row(
            "SELECT score FROM timeline_moved_items WHERE number = \(number)")?["score"]
        if let moved, moved <= TimelineKind.latestScore(at: now) { return moved }
        let score = TimelineKind.presentScore(at: now)
        try transaction.run(
            """
            INSERT INTO timeline_moved_items (number, score) VALUES (\(number), \(score))
            ON CONFLICT (number) DO UPDATE SET score = excluded.score
            """)
        return score
    }

    /// Forgets up to `limit` moved items that are gone.
    ///
    /// - Returns: how many they were.
    package func pruneMovedItems(limit: Int) throws -> Int {
        let gone = try transaction.map(
            """
            SELECT number FROM timeline_moved_items
            WHERE NOT EXISTS (
                SELECT 1 FROM timeline_items WHERE timeline_items.score = timeline_moved_items.score
                    AND timeline_items.number = timeline_moved_items.number)
                AND NOT EXISTS (
                SELECT 1 FROM timeline_own_items WHERE timeline_own_items.score = timeline_moved_items.score
                    AND timeline_own_items.number = timeline_moved_items.number)
            ORDER BY number LIMIT \(limit)
            """
        ) { try $0["number"] as Int64 }
        for number in gone { try transaction.run("DELETE FROM timeline_moved_items WHERE number = \(number)") }
        return gone.count
    }
}

extension TimelineKind {
    /// The highest score that an item can have at a moment. Clocks may differ by a day.
    package static func latestScore(at now: Timestamp) -> Int64 { presentScore(at: now) + maximumBonus + 86_400_000 }

    /// The score of a moment without a bonus.
    package static func presentScore(at now: Timestamp) -> Int64 { max(0, now.microseconds / 1_000) }
}
