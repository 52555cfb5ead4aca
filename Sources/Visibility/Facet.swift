import Storage

/// What somebody may see of a person. Everybody sees all facets of themselves.
///
/// This is the only place that decides it: ``VisibilityStore/canSee(_:of:as:)`` asks it about one person, and lists
/// have ``condition(for:of:)`` in their statements.
package enum Facet: Sendable, CaseIterable {
    /// What the person does toward the viewer: a follow, a request. Whoever does it shows their name and picture with
    /// it, also with a private profile.
    case act
    /// That there is such a person, with name and picture: in searches, suggestions and lists of people.
    case existence
    /// The profile: text, counts, and what the person shares.
    case profile
    /// The stats of listens.
    case stats

    /// The condition of the rows of people of whom a viewer may see the facet. Nobody who is suspended or gone is
    /// visible, and nobody in either direction of a block.
    ///
    /// - Parameters:
    ///   - viewer: from the transaction of the statement.
    ///   - people: the name of the table `people` in the statement.
    ///   - states: the states in which people are found. Others than active people are visible to nobody: further states
    ///     are for what has to be told of the end of that, such as of a suspension, to those who saw them before.
    package func condition(
        for viewer: Viewer, of people: StaticString = "people", in states: [Person.State] = [.active]
    ) -> SQL {
        condition(forKey: "\(viewer.key)", of: people, in: states)
    }

    /// The condition of people whose name and picture a viewer sees with what they do to something of the viewer's, such
    /// as a reaction to a share: those whom the viewer sees in lists, and followers. Others are counted, and not named:
    /// the viewer could neither block nor report somebody whose profile looks like that of nobody.
    ///
    /// - Parameter people: as in ``condition(for:of:)``.
    package static func isNamed(to viewer: Viewer, of people: StaticString = "people") -> SQL {
        """
        (\(Facet.existence.condition(for: viewer, of: people)) OR EXISTS (
            SELECT 1 FROM follows AS known
            WHERE known.follower = \(trusted: people).key AND known.followed = \(viewer.key))
            AND \(Facet.act.condition(for: viewer, of: people)))
        """
    }

    /// The condition of ``condition(for:of:)`` in a statement about several viewers.
    ///
    /// - Parameter viewer: the column with the key of a viewer, such as `viewers.key`. The statement finds active viewers
    ///   only.
    package func condition(
        forKey viewer: SQL, of people: StaticString = "people", in states: [Person.State] = [.active]
    ) -> SQL {
        let isInState: SQL = states == [.active] ? "= 0" : "IN (\(list: states))"
        return """
            (\(trusted: people).state \(isInState) AND (
                \(trusted: people).key = \(viewer) OR \(rule(forKey: viewer, of: people))
                NOT EXISTS (
                    SELECT 1 FROM blocks WHERE blocks.blocker = \(viewer) AND blocks.blocked = \(trusted: people).key)
                AND NOT EXISTS (
                    SELECT 1 FROM blocks
                    WHERE blocks.blocker = \(trusted: people).key AND blocks.blocked = \(viewer))))
            """
    }

    /// What the facet demands besides, with ` AND` after it.
    private func rule(forKey viewer: SQL, of people: StaticString) -> SQL {
        let profile: SQL = """
            (\(trusted: people).visibility = 2 OR \(trusted: people).visibility = 1 AND EXISTS (
                SELECT 1 FROM follows
                WHERE follows.follower = \(viewer) AND follows.followed = \(trusted: people).key)) AND
            """
        return switch self {
        case .act: ""
        case .existence: "\(trusted: people).visibility >= 1 AND"
        case .profile: profile
        case .stats: profile + " \(trusted: people).shows_stats = 1 AND"
        }
    }
}
