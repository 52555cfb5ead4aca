import Model
import Storage
import Timeline
import Visibility

/// First follows that began while the clock was ahead. They would stay on top of the feed of who is followed.
extension PeopleStore {
    package func hasFollowsAhead(at now: Timestamp) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM follow_beginnings
            WHERE number IS NOT NULL AND followed_at > \(Self.latestFollow(at: now)) LIMIT 1
            """) != nil
    }

    /// Clocks may differ by a day, as with other items.
    private static func latestFollow(at now: Timestamp) -> Timestamp {
        TimelineKind.follow.moment(ofScore: TimelineKind.latestScore(at: now))
    }
}

extension PeopleStore where Access == WriteTransaction {
    /// Moves first follows from the future to the present, in their order, to where other items are moved
    /// (`moveItemsAhead`).
    ///
    /// - Returns: how many were moved; fewer than `limit` at the end.
    package func moveFollowsAhead(to now: PruningTime, limit: Int) throws -> Int {
        let moment = TimelineKind.follow.moment(ofScore: TimelineKind.presentScore(at: now.moment))
        let follows = try transaction.map(
            """
            SELECT follower, followed FROM follow_beginnings
            WHERE number IS NOT NULL AND followed_at > \(Self.latestFollow(at: now.moment))
            ORDER BY followed_at LIMIT \(limit)
            """
        ) { (follower: try $0["follower"] as PersonKey, followed: try $0["followed"] as PersonKey) }
        for follow in follows {
            try transaction.run(
                """
                UPDATE follow_beginnings SET followed_at = \(moment)
                WHERE follower = \(follow.follower) AND followed = \(follow.followed)
                """)
        }
        for person in Set(follows.map(\.followed)) { try transaction.timeline.recordReset(of: person) }
        return follows.count
    }
}
