import DomainEvents
import Model
import Storage
import Visibility

extension PeopleStore {
    /// The most people whom one person follows, with those whom they ask.
    package static var maximumFollows: Int { 10_000 }
}

extension PeopleStore where Access == WriteTransaction {
    /// Follows a person with a public profile, and asks one whose profile followers alone may see.
    ///
    /// - Parameter subjectID: `nil` for a name that nobody has.
    /// - Throws: ``PeopleRefusal``; `ActLimitReached`.
    package func follow(_ subjectID: String?, by userID: String, now: Timestamp) throws -> FollowOutcome {
        let (viewer, relation) = try pair(userID, subjectID)
        guard relation.canSee(.existence) else { throw PeopleRefusal.unknownPerson }
        let (own, other) = (viewer.key, relation.person.key)
        if relation.isFollowing { return FollowOutcome(state: .following, isFirst: false) }
        let isRequested = try hasRequest(of: other, by: own)
        let isPublic = relation.person.visibility == .public
        if isRequested, !isPublic { return FollowOutcome(state: .requested, isFirst: false) }
        if !isRequested {
            let taken =
                try transaction.visibility.followingCount(of: own, limit: Self.maximumFollows)
                + requestCount(by: own, limit: Self.maximumFollows)
            guard taken < Self.maximumFollows else {
                throw PeopleRefusal.tooManyFollows(limit: Self.maximumFollows)
            }
            try transaction.visibility.count(ActLimit.follows, by: own, now: now)
        }
        guard isPublic else {
            try insertRequest(of: other, by: own, now: now)
            let isFirst = try noteRequest(of: other, by: own, now: now)
            if isFirst { try notify(relation.person.userID, of: .followRequest, by: userID, now: now) }
            return FollowOutcome(state: .requested, isFirst: isFirst)
        }
        let isFirst = try begin(own, follows: other, now: now)
        if isFirst { try notify(relation.person.userID, of: .follow, by: userID, now: now) }
        return FollowOutcome(state: .following, isFirst: isFirst)
    }

    /// Ends a follow, or withdraws the request.
    ///
    /// - Throws: ``PeopleRefusal``.
    package func unfollow(_ subjectID: String?, by userID: String) throws {
        let (viewer, relation) = try pair(userID, subjectID)
        guard relation.canSee(.existence) else { throw PeopleRefusal.unknownPerson }
        try transaction.visibility.unfollow(relation.person.key, by: viewer.key)
        try deleteRequest(of: relation.person.key, by: viewer.key)
        try withdrawFollow(of: relation.person.userID, by: userID)
    }

    /// Removes a follower, also one with a private profile.
    ///
    /// - Throws: ``PeopleRefusal``.
    package func removeFollower(_ subjectID: String?, of userID: String) throws {
        let (viewer, relation) = try pair(userID, subjectID)
        guard relation.canSee(.existence) || relation.canSee(.act) && relation.followsViewer else {
            throw PeopleRefusal.unknownPerson
        }
        try transaction.visibility.unfollow(viewer.key, by: relation.person.key)
        try withdrawFollow(of: userID, by: relation.person.userID)
    }

    private func notify(
        _ recipientID: String, of kind: NotificationKind, by actorID: String, now: Timestamp
    ) throws {
        try transaction.publish(
            PersonNotified(
                recipientID: recipientID, kind: kind, subject: "", actorID: actorID, itemID: actorID, time: now))
    }

    private func withdrawFollow(of followedID: String, by followerID: String) throws {
        try transaction.publish(
            NotificationWithdrawn(recipientID: followedID, kind: .follow, itemID: followerID))
    }

    /// Makes a follow of a pair that may have one, and ends the request for it.
    ///
    /// - Returns: whether it is the first one of the pair.
    @discardableResult
    func begin(_ follower: PersonKey, follows followed: PersonKey, now: Timestamp) throws -> Bool {
        try deleteRequest(of: followed, by: follower)
        guard try transaction.visibility.follow(followed, by: follower, now: now) else { return false }
        let isFirst =
            try transaction.row(
                """
                SELECT 1 FROM follow_beginnings
                WHERE follower = \(follower) AND followed = \(followed) AND followed_at IS NOT NULL
                """) == nil
        guard isFirst else { return false }
        try transaction.run(
            """
            INSERT INTO follow_beginnings (follower, followed, followed_at, number)
            VALUES (\(follower), \(followed), \(now.inWholeMilliseconds), \(try transaction.nextChange()))
            ON CONFLICT (follower, followed) DO UPDATE
            SET followed_at = excluded.followed_at, number = excluded.number
            """)
        return true
    }
}
