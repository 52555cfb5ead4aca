import Storage

/// How a viewer stands to a person, as lists show it.
package struct Standing: Sendable, Hashable {
    package let key: PersonKey
    package let userID: String
    /// Whether the viewer follows the person.
    package let isFollowing: Bool
    /// Whether the person follows the viewer.
    package let followsViewer: Bool
    /// Who may see the person's profile; `nil` if the viewer may not know that there is one, such as that of a private
    /// follower.
    package let visibility: ProfileVisibility?

    package static func columns(for viewer: Viewer) -> SQL { columns(forKey: "\(viewer.key)") }

    /// - Parameter viewer: as in ``Facet/condition(forKey:of:)``.
    package static func columns(forKey viewer: SQL) -> SQL {
        """
        people.key, people.user_id,
        CASE WHEN EXISTS (
            SELECT 1 FROM follows AS own WHERE own.follower = \(viewer) AND own.followed = people.key)
            THEN 1 ELSE 0 END AS is_following,
        CASE WHEN EXISTS (
            SELECT 1 FROM follows AS theirs WHERE theirs.follower = people.key AND theirs.followed = \(viewer))
            THEN 1 ELSE 0 END AS follows_viewer,
        CASE WHEN \(Facet.existence.condition(forKey: viewer)) THEN people.visibility END AS shown_visibility
        """
    }

    /// - Parameter row: with ``columns(for:)``.
    package init(row: Row) throws {
        key = try row["key"]
        userID = try row["user_id"]
        isFollowing = try row["is_following"]
        followsViewer = try row["follows_viewer"]
        visibility = (try row["shown_visibility"] as Int64?).map(ProfileVisibility.init(number:))
    }

    package init(_ relation: Relation) {
        key = relation.person.key
        userID = relation.person.userID
        isFollowing = relation.isFollowing
        followsViewer = relation.followsViewer
        visibility = relation.canSee(.existence) ? relation.person.visibility : nil
    }
}
