import Storage

/// A viewer who has read all changes up to a number.
package struct ViewerPosition: Sendable, Hashable {
    package let viewer: Viewer
    package let after: Int64

    package init(_ viewer: Viewer, after: Int64) {
        (self.viewer, self.after) = (viewer, after)
    }
}

/// That somebody whom a viewer follows shows something else. The viewer may see the profile.
package struct FollowedProfileChange: Sendable, Equatable {
    package let person: Standing
    package let change: Int64
}

/// The last authors who changed, for viewers who read together. How many they are depends on the viewers, so that all
/// pairs are looked up in a few milliseconds.
package struct LatestAuthors: Sendable {
    /// Those who changed after the first of the ``positions``, with the numbers of their changes.
    package let changes: [Int64: Int64]
    /// Those of the viewers to whom no further authors are new.
    package let positions: [ViewerPosition]

    /// The most authors.
    private static let most = 500
    /// The most pairs of a viewer and an author that are looked up together.
    private static let mostPairs = 20_000

    package init(
        _ aspect: AuthorAspect, for positions: [ViewerPosition], in reader: some SQLReader
    ) throws {
        guard let first = positions.map(\.after).min() else {
            (changes, self.positions) = ([:], [])
            return
        }
        let limit = min(Self.most, max(10, Self.mostPairs / positions.count))
        let latest = try reader.latestAuthors(changedAfter: first, aspect, limit: limit)
        // Of a full list, all authors are known who changed after the last one of it.
        let end = latest.count < limit ? first : latest.last?.change ?? first
        self.positions = positions.filter { $0.after >= end }
        let start = self.positions.map(\.after).min() ?? 0
        changes = latest.reduce(into: [:]) { if $1.change > start { $0[$1.author] = $1.change } }
    }
}

extension VisibilityStore {
    /// The changed profiles of the people whom viewers follow, for all of these in a few statements. What happened between
    /// a viewer and others is not among them (``changes(for:after:limit:)``).
    ///
    /// - Returns: the changes of each viewer in their order. Somebody is missing whose changes have to be read alone: too
    ///   many have changed since, or a profile has closed.
    package func profileChanges(for positions: [ViewerPosition]) throws -> [ViewerPosition: [FollowedProfileChange]] {
        let latest = try LatestAuthors(.profile, for: positions, in: transaction)
        let follows = try follows(
            of: latest.changes.keys.map { PersonKey(rawValue: $0) }, by: Set(latest.positions.map(\.viewer.key)))
        return latest.positions.reduce(into: [:]) { all, position in
            let changed = (follows[position.viewer.key] ?? []).compactMap { follow in
                latest.changes[follow.person.key.rawValue].flatMap { number in
                    number > position.after ? (follow: follow, number: number) : nil
                }
            }
            guard changed.allSatisfy(\.follow.isVisible) else { return }
            all[position] = changed.map { FollowedProfileChange(person: $0.follow.person, change: $0.number) }
                .sorted { ($0.change, $0.person.key.rawValue) < ($1.change, $1.person.key.rawValue) }
        }
    }

    /// Who of the people is followed by which viewers, and whether the viewer may see the profile at this moment.
    private func follows(
        of people: [PersonKey], by viewers: Set<PersonKey>
    ) throws -> [PersonKey: [(person: Standing, isVisible: Bool)]] {
        var follows: [PersonKey: [(person: Standing, isVisible: Bool)]] = [:]
        guard !people.isEmpty else { return follows }
        for part in viewers.listParts {
            try transaction.forEachRow(
                """
                SELECT viewers.key AS viewer, \(Standing.columns(forKey: "viewers.key")),
                    CASE WHEN \(Facet.profile.condition(forKey: "viewers.key")) THEN 1 ELSE 0 END AS is_visible
                FROM people AS viewers CROSS JOIN follows CROSS JOIN people
                WHERE viewers.key IN (\(list: part)) AND viewers.state = 0 AND follows.follower = viewers.key
                    AND follows.followed IN (\(list: people)) AND people.key = follows.followed
                """
            ) { row in
                follows[try row["viewer"], default: []].append(
                    (person: try Standing(row: row), isVisible: try row["is_visible"]))
                return .continue
            }
        }
        return follows
    }
}
