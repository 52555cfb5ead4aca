import Storage
import Visibility

/// What changed of the authors whom viewers follow or read, found for many viewers together: a new item of one author is
/// read once, and so is who of the viewers may see it.
extension TimelineStore {
    /// The changes of the authors of viewers, in a number of statements that does not depend on how many these are.
    /// Neither own items nor anything else that is recorded for a viewer is among them (``changes(for:after:limit:)``).
    /// What a viewer may not see at this moment is left out.
    ///
    /// - Returns: the changes of each viewer in their order. Somebody is missing whose changes have to be read alone: too
    ///   many have changed since, or the feed is to be read again.
    package func authorChanges(for positions: [ViewerPosition]) throws -> [ViewerPosition: [TimelineChange]] {
        let latest = try LatestAuthors(.items, for: positions, in: transaction)
        let pruned: Int64 =
            try transaction.row("SELECT MAX(change) AS change FROM pruned_timeline_gone_items")?["change"] ?? 0
        let near = latest.positions.filter { $0.after >= pruned }
        guard let first = near.map(\.after).min() else { return [:] }
        let read = try readAuthors(
            of: Set(near.map(\.viewer.key)), among: latest.changes.keys.map(TimelineAuthor.init(rawValue:)))
        let authors = Array(read.values.reduce(into: Set()) { $0.formUnion($1.shown.union($1.unseen)) })
        guard !authors.isEmpty else { return near.reduce(into: [:]) { $0[$1] = [] } }
        let items = try items(of: authors, changedAfter: first)
        let gone = try goneItems(of: authors, goneAfter: first)
        guard items.count <= Self.maximumChanges, gone.count <= Self.maximumChanges else { return [:] }
        let openings = try openings(of: authors, after: first)
        return near.reduce(into: [:]) { all, position in
            let (shown, unseen) = read[position.viewer.key] ?? ([], [])
            func isOpened(_ author: TimelineAuthor) -> Bool { openings[author] ?? 0 > position.after }
            guard !shown.contains(where: isOpened), !unseen.contains(where: isOpened) else { return }
            var known: Set<Int64> = []
            let changed = items.compactMap { author, item -> TimelineChange? in
                guard item.change > position.after, shown.contains(author),
                    known.insert(item.position.number).inserted
                else { return nil }
                return TimelineChange(number: item.change, content: .item(item))
            }
            let ended = gone.filter { $0.change.number > position.after && shown.contains($0.author) }.map(\.change)
            all[position] = (changed + ended).sorted { $0.number < $1.number }
        }
    }

    /// Those of the authors whom viewers follow or read: whose items they may see at this moment, and whose not.
    private func readAuthors(
        of viewers: Set<PersonKey>, among authors: [TimelineAuthor]
    ) throws -> [PersonKey: (shown: Set<TimelineAuthor>, unseen: Set<TimelineAuthor>)] {
        let (people, topics) = (authors.filter(\.isPerson), authors.filter { !$0.isPerson })
        var read: [PersonKey: (shown: Set<TimelineAuthor>, unseen: Set<TimelineAuthor>)] = [:]
        for part in viewers.listParts {
            if !people.isEmpty {
                try transaction.forEachRow(
                    """
                    SELECT viewers.key AS viewer, people.key AS author,
                        CASE WHEN \(Facet.profile.condition(forKey: "viewers.key")) THEN 1 ELSE 0 END AS is_visible
                    FROM people AS viewers CROSS JOIN follows CROSS JOIN people
                    WHERE viewers.key IN (\(list: part)) AND viewers.state = 0 AND follows.follower = viewers.key
                        AND follows.followed IN (\(list: people)) AND people.key = follows.followed
                    """
                ) { row in
                    let author = TimelineAuthor(rawValue: try row["author"])
                    if try row["is_visible"] {
                        read[try row["viewer"], default: ([], [])].shown.insert(author)
                    } else {
                        read[try row["viewer"], default: ([], [])].unseen.insert(author)
                    }
                    return .continue
                }
            }
            if !topics.isEmpty {
                try transaction.forEachRow(
                    """
                    SELECT DISTINCT person, topic FROM timeline_topic_readers
                    WHERE person IN (\(list: part)) AND topic IN (\(list: topics))
                    """
                ) { row in
                    read[try row["person"], default: ([], [])].shown.insert(
                        TimelineAuthor(rawValue: try row["topic"]))
                    return .continue
                }
            }
        }
        return read
    }

    /// The changed items in the order of their changes, each with its author; more than ``maximumChanges`` if there are
    /// too many.
    private func items(
        of authors: [TimelineAuthor], changedAfter change: Int64
    ) throws -> [(author: TimelineAuthor, item: TimelineItem)] {
        try transaction.rows(
            """
            SELECT author, kind, score, number, change FROM timeline_items
            WHERE author IN (\(list: authors)) AND change > \(change)
            ORDER BY change LIMIT \(Self.maximumChanges + 1)
            """
        ).compactMap { row in
            try TimelineItem(row: row).map { (author: TimelineAuthor(rawValue: try row["author"]), item: $0) }
        }
    }

    /// - Returns: more than ``maximumChanges`` if there are too many.
    private func goneItems(
        of authors: [TimelineAuthor], goneAfter change: Int64
    ) throws -> [(author: TimelineAuthor, change: TimelineChange)] {
        try transaction.map(
            """
            SELECT author, change, item FROM timeline_gone_items
            WHERE author IN (\(list: authors)) AND change > \(change)
            ORDER BY change LIMIT \(Self.maximumChanges + 1)
            """
        ) { row in
            (
                author: TimelineAuthor(rawValue: try row["author"]),
                change: TimelineChange(number: try row["change"], content: .gone(id: try row["item"]))
            )
        }
    }

    /// The authors of whom people may see more since a change, with the number of that change.
    private func openings(of authors: [TimelineAuthor], after change: Int64) throws -> [TimelineAuthor: Int64] {
        try transaction.rows(
            """
            SELECT author, change FROM timeline_openings
            WHERE author IN (\(list: authors)) AND change > \(change)
            """
        ).reduce(into: [:]) { openings, row in
            openings[TimelineAuthor(rawValue: try row["author"])] = try row["change"] as Int64
        }
    }
}
