import Model
import Storage
import Timeline
import Visibility

/// Marks at items that were made while the clock was ahead. Nothing that is made later would count as new.
extension FeedStore {
    package func hasMarksAhead(at now: Timestamp) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS found FROM feed_marks WHERE score > \(TimelineKind.latestScore(at: now)) LIMIT 1") != nil
    }
}

extension FeedStore where Access == WriteTransaction {
    /// Moves marks from the future to the present, to where the items are moved (`moveItemsAhead`): what was read stays
    /// so.
    ///
    /// - Returns: how many were moved; fewer than `limit` at the end.
    package func moveMarksAhead(to now: PruningTime, limit: Int) throws -> Int {
        let people = try transaction.map(
            """
            SELECT person FROM feed_marks
            WHERE score > \(TimelineKind.latestScore(at: now.moment)) ORDER BY score LIMIT \(limit)
            """
        ) { try $0["person"] as PersonKey }
        for person in people {
            try transaction.run(
                """
                UPDATE feed_marks
                SET score = \(TimelineKind.presentScore(at: now.moment)), change = \(try transaction.nextChange())
                WHERE person = \(person)
                """)
            try transaction.timeline.recordReset(of: person)
        }
        return people.count
    }
}
