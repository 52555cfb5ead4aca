import Model
import Storage
import Visibility

/// A change of a person's feed.
package struct TimelineChange: Sendable, Equatable {
    package let number: Int64
    package let content: Content

    package init(number: Int64, content: Content) {
        (self.number, self.content) = (number, content)
    }

    package enum Content: Sendable, Equatable {
        /// An item that is new or has changed.
        case item(TimelineItem)
        /// An item that nobody has any longer.
        ///
        /// - Parameter id: ``TimelineKind/itemID(_:)``.
        case gone(id: String)
        /// The feed shows something else, and is to be read again.
        case reset
    }
}

extension TimelineStore {
    /// The most changed items that are reported one by one. After more of them, the feed is to be read again.
    package static var maximumChanges: Int { 500 }

    /// What changed in a viewer's feed after a number, in the order of the changes. What the viewer may not see at this
    /// moment is left out: that it is gone is reported otherwise, as with a profile that closes (`PersonChange`).
    ///
    /// - Returns: about `limit` changes; fewer only if there are no others.
    package func changes(for viewer: Viewer, after change: Int64, limit: Int) throws -> [TimelineChange] {
        let reset = try lastReset(for: viewer, after: change)
        let after = reset ?? change
        let bound = Self.maximumChanges + 1
        var found: [TimelineChange] = []
        if let reset { found.append(TimelineChange(number: reset, content: .reset)) }
        var items = try changedOwnItems(of: viewer, after: after, limit: bound)
        for part in try changedAuthors(of: viewer, after: after).listParts {
            items += try changedItems(of: part, after: after, limit: bound)
            found += try goneItems(of: part, after: after, limit: bound)
        }
        if items.count >= bound || found.count >= bound {
            return [TimelineChange(number: try transaction.lastChange(), content: .reset)]
        }
        var known: Set<Int64> = []
        for item in items where known.insert(item.position.number).inserted {
            found.append(TimelineChange(number: item.change, content: .item(item)))
        }
        found.sort { $0.number < $1.number }
        guard found.count > limit else { return found }
        let last = found[limit - 1].number
        return Array(found.prefix { $0.number <= last })
    }

    /// The last change after a number with which the feed is to be read again.
    private func lastReset(for viewer: Viewer, after change: Int64) throws -> Int64? {
        let row = try transaction.row(
            """
            SELECT (SELECT MAX(change) FROM pruned_timeline_gone_items) AS pruned,
                (SELECT change FROM timeline_resets WHERE person = \(viewer.key)) AS own,
                (SELECT MAX(change) FROM follows WHERE follower = \(viewer.key)) AS followed,
                (SELECT MAX(timeline_openings.change) FROM timeline_openings CROSS JOIN follows
                WHERE timeline_openings.change > \(change) AND follows.follower = \(viewer.key)
                    AND follows.followed = timeline_openings.author) AS opened
            """)
        guard let row else { return nil }
        if change < (try row["pruned"] ?? 0) { return try transaction.lastChange() }
        return [try row["own"], try row["followed"], try row["opened"] as Int64?].compactMap { $0 as Int64? }
            .filter { $0 > change }.max()
    }

    /// The changed authors that are a viewer's, but people whose profile the viewer may not see. Whichever are fewer are
    /// read first: those who changed, or those whom the viewer follows or reads.
    private func changedAuthors(of viewer: Viewer, after change: Int64) throws -> [TimelineAuthor] {
        let changed = try transaction.authors(changedAfter: change, limit: Self.fewAuthors)
        let areFew = changed.count < Self.fewAuthors
        var authors: [TimelineAuthor] = []
        if !areFew || changed.contains(where: { $0 > 0 }) {
            let tables: SQL = areFew ? "author_log CROSS JOIN follows" : "follows CROSS JOIN author_log"
            authors += try transaction.map(
                """
                SELECT author_log.author AS author FROM \(tables) CROSS JOIN people
                WHERE author_log.change > \(change) AND follows.follower = \(viewer.key)
                    AND follows.followed = author_log.author AND people.key = author_log.author
                    AND \(Facet.profile.condition(for: viewer))
                """
            ) { TimelineAuthor(rawValue: try $0["author"]) }
        }
        if !areFew || changed.contains(where: { $0 < 0 }) {
            let tables: SQL =
                areFew ? "author_log CROSS JOIN timeline_topic_readers" : "timeline_topic_readers CROSS JOIN author_log"
            authors += try transaction.map(
                """
                SELECT DISTINCT author_log.author AS author FROM \(tables)
                WHERE author_log.change > \(change) AND timeline_topic_readers.person = \(viewer.key)
                    AND timeline_topic_readers.topic = author_log.author
                """
            ) { TimelineAuthor(rawValue: try $0["author"]) }
        }
        return authors
    }

    private static var fewAuthors: Int { 500 }

    private func changedItems(
        of authors: some Sequence<TimelineAuthor>, after change: Int64, limit: Int
    ) throws -> [TimelineItem] {
        try transaction.rows(
            """
            SELECT kind, score, number, change FROM timeline_items
            WHERE author IN (\(list: authors)) AND change > \(change) ORDER BY change LIMIT \(limit)
            """
        ).compactMap(TimelineItem.init)
    }

    private func goneItems(
        of authors: some Sequence<TimelineAuthor>, after change: Int64, limit: Int
    ) throws -> [TimelineChange] {
        try transaction.map(
            """
            SELECT change, item FROM timeline_gone_items
            WHERE author IN (\(list: authors)) AND change > \(change) ORDER BY change LIMIT \(limit)
            """
        ) { TimelineChange(number: try $0["change"], content: .gone(id: try $0["item"])) }
    }

    private func changedOwnItems(of viewer: Viewer, after change: Int64, limit: Int) throws -> [TimelineItem] {
        try transaction.rows(
            """
            SELECT kind, score, number, change FROM timeline_own_items
            WHERE person = \(viewer.key) AND change > \(change) ORDER BY change LIMIT \(limit)
            """
        ).compactMap(TimelineItem.init)
    }
}

extension TimelineStore where Access == WriteTransaction {
    /// Has the programs of those who follow a person read their feeds again, since they may see more of the person.
    package func recordOpening(of person: PersonKey) throws {
        try transaction.run(
            """
            INSERT INTO timeline_openings (author, change) VALUES (\(person), \(try transaction.nextChange()))
            ON CONFLICT (author) DO UPDATE SET change = excluded.change
            """)
        transaction.recordChange(ofAuthor: person.rawValue)
    }

    /// Deletes up to `limit` rows of items that have been gone since before `cutoff`; returns their number.
    package func pruneGoneItems(before cutoff: PruningTime, limit: Int) throws -> Int {
        let rows = try transaction.rows(
            """
            SELECT author, change FROM timeline_gone_items
            WHERE gone_at < \(cutoff.moment) ORDER BY gone_at LIMIT \(limit)
            """)
        guard !rows.isEmpty else { return 0 }
        var last: Int64 = try transaction.row("SELECT change FROM pruned_timeline_gone_items")?["change"] ?? 0
        for row in rows {
            let change: Int64 = try row["change"]
            last = max(last, change)
            try transaction.run(
                """
                DELETE FROM timeline_gone_items
                WHERE author = \(try row["author"] as Int64) AND change = \(change)
                """)
        }
        try transaction.run("UPDATE pruned_timeline_gone_items SET change = \(last)")
        return rows.count
    }
}
