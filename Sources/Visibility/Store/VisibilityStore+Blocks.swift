import DomainEvents
import Model
import Storage

extension VisibilityStore {
    /// Whether one of two people has blocked the other.
    package func isBlocked(between one: PersonKey, and other: PersonKey) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM blocks
            WHERE blocker = \(one) AND blocked = \(other) OR blocker = \(other) AND blocked = \(one) LIMIT 1
            """) != nil
    }

    package func hasBlocked(_ blocked: PersonKey, by blocker: PersonKey) throws -> Bool {
        try transaction.row("SELECT 1 FROM blocks WHERE blocker = \(blocker) AND blocked = \(blocked)") != nil
    }
}

extension VisibilityStore where Access == WriteTransaction {
    /// Blocks a person, ends the follows of both directions, and publishes `PeopleBlocked`, by which the domains end
    /// what else there is between the two. The blocked person learns of it what they would learn of an erasure.
    ///
    /// - Returns: whether the block is new.
    @discardableResult
    package func block(_ blocked: PersonKey, by blocker: PersonKey, now: Timestamp) throws -> Bool {
        guard try !hasBlocked(blocked, by: blocker) else { return false }
        try transaction.run(
            """
            INSERT INTO blocks (blocker, blocked, blocked_at, change)
            VALUES (\(blocker), \(blocked), \(now), \(try transaction.nextChange()))
            """)
        try deleteFollow(of: blocked, by: blocker)
        let isFollower = try deleteFollow(of: blocker, by: blocked)
        try recordBlock(of: blocked, by: blocker, isFollower: isFollower) {
            let userIDs = try userIDs(of: [blocker, blocked])
            guard let blockerID = userIDs[blocker], let blockedID = userIDs[blocked] else { return }
            try transaction.publish(PeopleBlocked(blockerID: blockerID, blockedID: blockedID))
        }
        return true
    }

    /// Ends a block, and publishes `PeopleUnblocked`. The follows do not come back.
    ///
    /// - Returns: whether there was such a block.
    /// - Throws: ``ActLimitReached``. Blocking has no limit, but each block takes something from the other person that
    ///   their devices have to learn.
    @discardableResult
    package func unblock(_ blocked: PersonKey, by blocker: PersonKey, now: Timestamp) throws -> Bool {
        guard try hasBlocked(blocked, by: blocker) else { return false }
        try count([ActLimit.unblocks], by: blocker, now: now)
        try transaction.run("DELETE FROM blocks WHERE blocker = \(blocker) AND blocked = \(blocked)")
        try recordEndOfBlock(of: blocked, by: blocker)
        let userIDs = try userIDs(of: [blocker, blocked])
        if let blockerID = userIDs[blocker], let blockedID = userIDs[blocked] {
            try transaction.publish(PeopleUnblocked(blockerID: blockerID, blockedID: blockedID))
        }
        return true
    }
}
