import Storage

/// How a viewer stands to a person, and what the viewer may see of them.
package struct Relation: Sendable, Equatable {
    package let person: Person
    package let isSelf: Bool
    /// Whether the viewer follows the person.
    package let isFollowing: Bool
    /// Whether the person follows the viewer.
    package let followsViewer: Bool
    /// Whether the viewer has blocked the person. Nobody learns who has blocked them.
    package let hasBlocked: Bool
    private let visible: Set<Facet>

    package func canSee(_ facet: Facet) -> Bool { visible.contains(facet) }

    static func columns(for viewer: Viewer) -> SQL {
        """
        \(Person.columns), CASE WHEN people.key = \(viewer.key) THEN 1 ELSE 0 END AS is_self,
        CASE WHEN EXISTS (
            SELECT 1 FROM follows WHERE follows.follower = \(viewer.key) AND follows.followed = people.key)
            THEN 1 ELSE 0 END AS is_following,
        CASE WHEN EXISTS (
            SELECT 1 FROM follows WHERE follows.follower = people.key AND follows.followed = \(viewer.key))
            THEN 1 ELSE 0 END AS follows_viewer,
        CASE WHEN EXISTS (
            SELECT 1 FROM blocks WHERE blocks.blocker = \(viewer.key) AND blocks.blocked = people.key)
            THEN 1 ELSE 0 END AS has_blocked,
        CASE WHEN \(Facet.act.condition(for: viewer)) THEN 1 ELSE 0 END AS sees_act,
        CASE WHEN \(Facet.existence.condition(for: viewer)) THEN 1 ELSE 0 END AS sees_existence,
        CASE WHEN \(Facet.profile.condition(for: viewer)) THEN 1 ELSE 0 END AS sees_profile,
        CASE WHEN \(Facet.stats.condition(for: viewer)) THEN 1 ELSE 0 END AS sees_stats
        """
    }

    init(row: Row) throws {
        person = try Person(row: row)
        isSelf = try row["is_self"]
        isFollowing = try row["is_following"]
        followsViewer = try row["follows_viewer"]
        hasBlocked = try row["has_blocked"]
        visible = Set(
            try Facet.allCases.filter { facet in
                switch facet {
                case .act: try row["sees_act"]
                case .existence: try row["sees_existence"]
                case .profile: try row["sees_profile"]
                case .stats: try row["sees_stats"]
                }
            })
    }
}
