import Model

/// The kind of an item that event streams report, as the API names it, such as `curatedList`.
package struct ItemKind: Sendable, Hashable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }
}

/// An item that a person can no longer see.
package struct GoneItem: Sendable, Equatable {
    package let kind: ItemKind
    /// The id that the API showed.
    package let id: String
    package let change: Int64
}

/// How long programs learn that an item is gone. One that was away for longer has to read everything again.
package let goneItemRetention = Duration.seconds(30 * 86_400)

extension SQLReader {
    /// What a person has not been able to see any longer since `change`, in the order of the changes. Items of one change
    /// are in the order of their kinds.
    package func goneItems(userID: String, after change: Int64, limit: Int) throws -> [GoneItem] {
        try map(
            """
            SELECT kind, item, change FROM gone_items
            WHERE user_id = \(userID) AND change > \(change) ORDER BY change, kind, item LIMIT \(limit)
            """
        ) { GoneItem(kind: ItemKind(try $0["kind"]), id: try $0["item"], change: try $0["change"]) }
    }

    /// The latest change that a person's program must have read, so that it learns of every item that is gone.
    package func earliestCompleteChange() throws -> Int64 {
        try row("SELECT change FROM pruned_gone_items")?["change"] ?? 0
    }
}

extension WriteTransaction {
    /// Records that a person can no longer see items, because these are deleted or hidden from them. Their programs
    /// remove the items, known or not.
    ///
    /// The last time that an item has gone is enough for every program. So repeating what makes it go, such as hiding and
    /// showing it, leaves one row.
    ///
    /// - Parameters:
    ///   - ids: as the API showed them; any number.
    ///   - userID: the person who can no longer see them.
    package func recordGone(
        _ kind: ItemKind, ids: some Sequence<String>, userID: String, now: Timestamp = .now()
    ) throws {
        for id in ids { try recordGone([(kind, id)], userID: userID, change: try nextChange(), now: now) }
    }

    /// Records that a person can no longer see some items, as one change.
    ///
    /// - Parameter change: a `nextChange()`; or a former number of something that reported the same items and no longer
    ///   can. Programs that have read that number already do not read them again.
    package func recordGone(
        _ items: [(kind: ItemKind, id: String)], userID: String, change: Int64, now: Timestamp = .now()
    ) throws {
        for (kind, id) in items {
            try run(
                """
                DELETE FROM gone_items
                WHERE user_id = \(userID) AND kind = \(kind.name) AND item = \(id) AND change < \(change)
                """)
            try run(
                """
                INSERT INTO gone_items (user_id, change, kind, item, gone_at)
                VALUES (\(userID), \(change), \(kind.name), \(id), \(now))
                """)
        }
        recordChange(of: [userID], topic: .goneItems)
    }

    /// Deletes up to `limit` rows of items that have been gone since before `cutoff`; returns their number.
    package func pruneGoneItems(before cutoff: PruningTime, limit: Int) throws -> Int {
        let rows = try rows(
            """
            SELECT user_id, change, kind, item FROM gone_items
            WHERE gone_at < \(cutoff.moment) ORDER BY gone_at LIMIT \(limit)
            """)
        guard !rows.isEmpty else { return 0 }
        var last = try earliestCompleteChange()
        for row in rows {
            let change: Int64 = try row["change"]
            last = max(last, change)
            try run(
                """
                DELETE FROM gone_items
                WHERE user_id = \(try row["user_id"] as String) AND change = \(change)
                    AND kind = \(try row["kind"] as String) AND item = \(try row["item"] as String)
                """)
        }
        try run("UPDATE pruned_gone_items SET change = \(last)")
        return rows.count
    }

    /// Deletes up to `limit` rows of authors who have not changed since what is known to be gone: whoever has read less
    /// reads everything again.
    ///
    /// - Returns: how many they were.
    package func pruneAuthors(limit: Int) throws -> Int {
        let authors = try map(
            """
            SELECT author FROM author_log
            WHERE change <= \(try earliestCompleteChange()) ORDER BY change LIMIT \(limit)
            """
        ) { try $0["author"] as Int64 }
        for author in authors { try run("DELETE FROM author_log WHERE author = \(author)") }
        return authors.count
    }
}

extension ChangeTopic {
    /// What people can no longer see.
    package static let goneItems = ChangeTopic("goneItems")
}

extension [PersonalTable] {
    /// The tables of the storage engine itself.
    package static let storage: Self = [
        PersonalTable(
            "gone_items", keys: ["change", "kind", "item"], erasure: .rows,
            export: .nothing(because: "which items the person's programs have to remove"))
    ]
}
