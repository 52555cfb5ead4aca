import Model
import Storage
import Timeline
import Visibility

private let hiddenList = Keyset<Int>("hidden feed items", by: "change", descending: true)

/// An item that a person has hidden, in all of its revisions.
package struct HiddenFeedItem: Sendable, Equatable {
    package let kind: TimelineKind
    /// Without a revision.
    package let id: String
    package let hiddenAt: Timestamp
    fileprivate let change: Int

    /// What hiding an item stores of its id: the part before the revision.
    package static func key(ofItem id: String) -> String {
        id.lastIndex(of: ".").map { String(id[..<$0]) } ?? id
    }
}

extension FeedStore {
    /// The most items that a person hides.
    package static var maximumHiddenItems: Int { 10_000 }
    /// The most bytes of an item's id.
    package static var maximumItemBytes: Int { 200 }

    package func mutedKinds(of person: PersonKey) throws -> Set<TimelineKind> {
        Set(
            try transaction.rows("SELECT kind FROM feed_muted_kinds WHERE person = \(person)")
                .compactMap { TimelineKind(rawValue: try $0["kind"]) })
    }

    /// Those of the items that a person has hidden.
    ///
    /// - Parameter ids: as the API shows them.
    package func hidden(
        _ kind: TimelineKind, among ids: some Sequence<String>, by person: PersonKey
    ) throws -> Set<String> {
        let keys = Dictionary(grouping: ids, by: HiddenFeedItem.key(ofItem:))
        guard !keys.isEmpty else { return [] }
        let hidden = try transaction.map(
            """
            SELECT item FROM feed_hidden_items
            WHERE person = \(person) AND kind = \(kind) AND item IN (\(list: keys.keys))
            """
        ) { try $0["item"] as String }
        return Set(hidden.flatMap { keys[$0] ?? [] })
    }

    /// The kinds that each of some people has muted.
    package func mutedKinds(of people: [PersonKey]) throws -> [PersonKey: Set<TimelineKind>] {
        try people.listParts.reduce(into: [:]) { muted, part in
            for row in try transaction.rows(
                "SELECT person, kind FROM feed_muted_kinds WHERE person IN (\(list: part))")
            {
                guard let kind = TimelineKind(rawValue: try row["kind"]) else { continue }
                muted[try row["person"], default: []].insert(kind)
            }
        }
    }

    /// Those of the items that each of some people has hidden.
    ///
    /// - Parameter ids: as the API shows them; at most some hundreds.
    package func hidden(
        _ kind: TimelineKind, among ids: some Sequence<String>, by people: [PersonKey]
    ) throws -> [PersonKey: Set<String>] {
        let keys = Dictionary(grouping: Set(ids), by: HiddenFeedItem.key(ofItem:))
        guard !keys.isEmpty else { return [:] }
        return try people.listParts.reduce(into: [:]) { hidden, part in
            for row in try transaction.rows(
                """
                SELECT person, item FROM feed_hidden_items
                WHERE person IN (\(list: part)) AND kind = \(kind) AND item IN (\(list: keys.keys))
                """)
            {
                hidden[try row["person"], default: []].formUnion(keys[try row["item"]] ?? [])
            }
        }
    }

    /// Reads the cursor of a page of hidden items; `nil` for any other text.
    package static func hiddenCursor(_ text: String) -> Cursor<Int>? { hiddenList.cursor(text) }

    /// The items that a person has hidden, the latest first.
    package func hiddenItems(
        of person: PersonKey, after cursor: Cursor<Int>?, limit: Int
    ) throws -> (items: [HiddenFeedItem], nextCursor: String?) {
        let found = try transaction.rows(
            """
            SELECT kind, item, hidden_at, change FROM feed_hidden_items
            WHERE person = \(person)\(hiddenList.following(cursor)) ORDER BY \(hiddenList.order) LIMIT \(limit + 1)
            """)
        let page = found.prefix(limit)
        let items = try page.compactMap { row in
            try TimelineKind(rawValue: row["kind"]).map { kind in
                HiddenFeedItem(
                    kind: kind, id: try row["item"], hiddenAt: try row["hidden_at"], change: try row["change"])
            }
        }
        let next = found.count > limit ? try page.last.map { hiddenList.text(of: try $0["change"]) } : nil
        return (items, next)
    }
}

extension FeedStore where Access == WriteTransaction {
    /// Mutes a kind for a person, for good.
    ///
    /// - Throws: ``FeedRefusal/unknownPerson``.
    package func mute(_ kind: TimelineKind, of userID: String, now: Timestamp) throws {
        let person = try person(userID)
        guard
            try transaction.execute(
                """
                INSERT INTO feed_muted_kinds (person, kind, muted_at) VALUES (\(person), \(kind), \(now))
                ON CONFLICT (person, kind) DO NOTHING
                """) == 1
        else { return }
        try transaction.timeline.recordReset(of: person)
    }

    /// - Throws: ``FeedRefusal/unknownPerson``.
    package func unmute(_ kind: TimelineKind, of userID: String) throws {
        let person = try person(userID)
        guard
            try transaction.execute(
                "DELETE FROM feed_muted_kinds WHERE person = \(person) AND kind = \(kind)") == 1
        else { return }
        try transaction.timeline.recordReset(of: person)
    }

    /// Hides an item from a person for good, with all of its revisions.
    ///
    /// - Parameter id: as the API shows it, at most ``maximumItemBytes``.
    /// - Throws: ``FeedRefusal``; `ActLimitReached`, since the item need not exist.
    package func hide(_ kind: TimelineKind, _ id: String, of userID: String, now: Timestamp) throws {
        let person = try person(userID)
        let key = HiddenFeedItem.key(ofItem: id)
        let known = try transaction.row(
            "SELECT 1 FROM feed_hidden_items WHERE person = \(person) AND kind = \(kind) AND item = \(key)")
        guard known == nil else { return }
        guard try hiddenCount(of: person) < Self.maximumHiddenItems else {
            throw FeedRefusal.tooManyHiddenItems(limit: Self.maximumHiddenItems)
        }
        try transaction.visibility.count([.hiddenItems], by: person, now: now)
        try transaction.run(
            """
            INSERT INTO feed_hidden_items (person, kind, item, hidden_at, change)
            VALUES (\(person), \(kind), \(key), \(now), \(try transaction.nextChange()))
            """)
        try transaction.recordGone(.feedItem, ids: [kind.itemID(id)], userID: userID, now: now)
    }

    /// Shows an item again.
    ///
    /// - Parameter id: as a feed shows it, or as ``hiddenItems(of:after:limit:)`` does, without a revision. That is the
    ///   same for most kinds, and an id without a revision may have a period.
    /// - Throws: ``FeedRefusal/unknownPerson``.
    package func show(_ kind: TimelineKind, _ id: String, of userID: String) throws {
        let person = try person(userID)
        guard
            try transaction.execute(
                """
                DELETE FROM feed_hidden_items
                WHERE person = \(person) AND kind = \(kind)
                    AND item IN (\(list: Set([id, HiddenFeedItem.key(ofItem: id)])))
                """) > 0
        else { return }
        try transaction.timeline.recordReset(of: person)
    }

    private func hiddenCount(of person: PersonKey) throws -> Int {
        try transaction.row(
            """
            SELECT COUNT(*) AS count FROM (
                SELECT 1 FROM feed_hidden_items WHERE person = \(person) LIMIT \(Self.maximumHiddenItems)) AS counted
            """)?["count"] ?? 0
    }
}
