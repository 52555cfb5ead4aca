import Model
import Storage
import Timeline
import Visibility

/// A change of who follows a person for the first time, as the person's feed shows it.
package struct FollowItemChange: Sendable, Equatable {
    package let number: Int64
    package let followerID: String
    /// `nil` if the follow is no longer shown.
    package let item: TimelineItem?
}

/// The items "somebody follows you" of feeds. They have no rows of their own: they are the first follows of a pair, as
/// long as there is the follow.
extension PeopleStore {
    /// The first follows of a viewer below a position, newest first.
    ///
    /// - Parameter limit: how many follows are looked at.
    /// - Returns: those of them that the viewer sees, and how far it looked; `nil` at the end.
    package func followItems(
        of viewer: Viewer, below position: TimelinePosition, limit: Int
    ) throws -> (items: [TimelineItem], end: TimelinePosition?) {
        let moment = TimelineKind.follow.moment(ofScore: position.score)
        let found = try transaction.map(
            """
            SELECT follow_beginnings.follower AS follower, follow_beginnings.followed_at AS followed_at,
                follow_beginnings.number AS number,
                CASE WHEN \(isShown(to: viewer)) THEN 1 ELSE 0 END AS is_shown
            FROM follow_beginnings
            WHERE follow_beginnings.followed = \(viewer.key) AND follow_beginnings.number IS NOT NULL
                AND (follow_beginnings.followed_at, follow_beginnings.number) < (\(moment), \(position.number))
            ORDER BY follow_beginnings.followed_at DESC, follow_beginnings.number DESC LIMIT \(limit)
            """
        ) { row in (item: try TimelineItem(follow: row), isShown: try row["is_shown"] as Bool) }
        return (found.filter(\.isShown).map(\.item), found.count < limit ? nil : found.last?.item.position)
    }

    /// What changed about the first follows of a viewer after a number, in the order of the changes. Those of people whose
    /// erasure has begun go with the people.
    package func changedFollowItems(of viewer: Viewer, after change: Int64, limit: Int) throws -> [FollowItemChange] {
        try transaction.map(
            """
            SELECT relation_changes.change AS change, people.user_id AS user_id,
                follow_beginnings.follower AS follower, follow_beginnings.followed_at AS followed_at,
                follow_beginnings.number AS number,
                CASE WHEN \(isShown(to: viewer)) THEN 1 ELSE 0 END AS is_shown
            FROM relation_changes CROSS JOIN follow_beginnings CROSS JOIN people
            WHERE relation_changes.person = \(viewer.key) AND relation_changes.change > \(change)
                AND follow_beginnings.follower = relation_changes.other
                AND follow_beginnings.followed = \(viewer.key) AND follow_beginnings.number IS NOT NULL
                AND people.key = relation_changes.other AND people.state <> \(Person.State.gone)
            ORDER BY relation_changes.change LIMIT \(limit)
            """
        ) { row in
            let isShown: Bool = try row["is_shown"]
            return FollowItemChange(
                number: try row["change"], followerID: try row["user_id"],
                item: isShown ? try TimelineItem(follow: row) : nil)
        }
    }

    /// Those among the people who follow a viewer, as the viewer sees them, by their keys.
    package func followers(among people: some Sequence<PersonKey>, of viewer: Viewer) throws -> [PeopleListItem] {
        try transaction.map(
            """
            SELECT \(Standing.columns(for: viewer)), follows.followed_at AS since, follows.change AS change
            FROM people CROSS JOIN follows
            WHERE people.key IN (\(list: Set(people))) AND follows.follower = people.key
                AND follows.followed = \(viewer.key) AND \(Facet.act.condition(for: viewer))
            """, PeopleListItem.init)
    }

    /// Whether a viewer sees that the follower of a row of `follow_beginnings` follows.
    private func isShown(to viewer: Viewer) -> SQL {
        """
        EXISTS (
            SELECT 1 FROM follows
            WHERE follows.follower = follow_beginnings.follower AND follows.followed = \(viewer.key))
        AND EXISTS (
            SELECT 1 FROM people AS followers
            WHERE followers.key = follow_beginnings.follower
                AND \(Facet.act.condition(for: viewer, of: "followers")))
        """
    }
}

extension TimelineItem {
    /// - Parameter row: with `follower`, `followed_at` and `number`.
    fileprivate init(follow row: Row) throws {
        let (moment, number): (Timestamp, Int64) = (try row["followed_at"], try row["number"])
        self.init(
            kind: .follow, position: TimelinePosition(score: TimelineKind.follow.score(of: moment), number: number),
            subject: try row["follower"], change: number)
    }
}

extension Timestamp {
    /// Feeds sort by milliseconds.
    var inWholeMilliseconds: Timestamp { Timestamp(microseconds: max(0, microseconds / 1_000) * 1_000) }
}
