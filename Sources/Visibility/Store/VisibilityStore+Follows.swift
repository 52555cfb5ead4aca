import Model
import Storage

/// How many people follow a person, and how many the person follows.
package struct FollowCounts: Sendable, Equatable {
    package var followers: Int
    package var following: Int
}

extension VisibilityStore {
    package func isFollowing(_ followed: PersonKey, by follower: PersonKey) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM follows WHERE follower = \(follower) AND followed = \(followed)") != nil
    }

    /// The counts of a person's profile as a viewer sees them: without people who are suspended or gone, and without
    /// those in either direction of a block with the viewer.
    ///
    /// They are counted each time, by indexes: a count that is kept would have to be corrected by every erasure, and
    /// 50,000 followers are counted in 1.5 ms. The people to leave out are few, so each is looked up among the follows
    /// and subtracted.
    package func followCounts(of person: PersonKey, for viewer: Viewer) throws -> FollowCounts {
        let (asFollower, asFollowed): (SQL, SQL) = (
            "follows.follower = people.key AND follows.followed = \(person)",
            "follows.follower = \(person) AND follows.followed = people.key"
        )
        let row = try transaction.row(
            """
            SELECT (SELECT COUNT(*) FROM follows WHERE followed = \(person))
                - \(uncounted(where: asFollower, for: viewer)) AS followers,
                (SELECT COUNT(*) FROM follows WHERE follower = \(person))
                - \(uncounted(where: asFollowed, for: viewer)) AS following
            """)
        return FollowCounts(followers: try row?["followers"] ?? 0, following: try row?["following"] ?? 0)
    }

    /// How many of a person's follows lead to or come from somebody whom the viewer does not see, as a term.
    private func uncounted(where follow: SQL, for viewer: Viewer) -> SQL {
        """
        ((SELECT COUNT(*) FROM people WHERE people.state <> 0 AND EXISTS (SELECT 1 FROM follows WHERE \(follow)))
        + (SELECT COUNT(*) FROM people
            WHERE people.key IN (
                    SELECT blocks.blocked FROM blocks WHERE blocks.blocker = \(viewer.key)
                    UNION SELECT blocks.blocker FROM blocks WHERE blocks.blocked = \(viewer.key))
                AND people.state = 0 AND EXISTS (SELECT 1 FROM follows WHERE \(follow))))
        """
    }

    /// The number of people whom a person follows, up to `limit`.
    package func followingCount(of person: PersonKey, limit: Int) throws -> Int {
        try transaction.row(
            """
            SELECT COUNT(*) AS count FROM (SELECT 1 FROM follows WHERE follower = \(person) LIMIT \(limit)) AS counted
            """)?["count"] ?? 0
    }
}

extension VisibilityStore where Access == WriteTransaction {
    /// Writes that somebody follows a person. Whether they may is the caller's question.
    ///
    /// - Returns: whether the follow is new.
    @discardableResult
    package func follow(_ followed: PersonKey, by follower: PersonKey, now: Timestamp) throws -> Bool {
        guard try !isFollowing(followed, by: follower) else { return false }
        try transaction.run(
            """
            INSERT INTO follows (follower, followed, followed_at, change)
            VALUES (\(follower), \(followed), \(now), \(try transaction.nextChange()))
            """)
        try recordFollow(of: followed, by: follower)
        return true
    }

    /// - Returns: whether there was such a follow.
    @discardableResult
    package func unfollow(_ followed: PersonKey, by follower: PersonKey) throws -> Bool {
        guard try deleteFollow(of: followed, by: follower) else { return false }
        try recordEndOfFollow(of: followed, by: follower)
        return true
    }

    /// Deletes a follow without recording it.
    ///
    /// - Returns: whether there was such a follow.
    @discardableResult
    func deleteFollow(of followed: PersonKey, by follower: PersonKey) throws -> Bool {
        try transaction.execute("DELETE FROM follows WHERE follower = \(follower) AND followed = \(followed)") == 1
    }
}
