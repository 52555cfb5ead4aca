import Model
import Storage
import Visibility

/// The SQL of shares. Read or written in a transaction: `transaction.shares`.
package struct ShareStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var shares: ShareStore<Self> { ShareStore(transaction: self) }
}

/// The order of a person's shares: the newest first.
package let shareList = Keyset<Int>("shares", by: "shares.number", descending: true)

/// A page of a person's shares.
package struct SharePage: Sendable, Equatable {
    package var items: [Share]
    package var nextCursor: String?
    /// The share that the person has pinned; on the first page only.
    package var pinned: Share?
}

extension ShareStore {
    /// A share, if the viewer may see it.
    package func share(_ id: ShareID, for viewer: Viewer, now: Timestamp) throws -> Share? {
        let found = try shares([id.number], for: viewer, now: now)[id.number]
        return found?.id == id ? found : nil
    }

    /// Those of the shares that a viewer may see, by their numbers.
    package func shares(_ numbers: some Sequence<Int64>, for viewer: Viewer, now: Timestamp) throws -> [Int64: Share] {
        let found = try shares(where: "shares.number IN (\(list: Set(numbers)))", order: "", for: viewer, now: now)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.id.number, $0) })
    }

    /// A page of what a person has shared with everybody.
    ///
    /// - Parameter sender: whose profile the viewer may see; the statement has the condition as well.
    package func page(
        of sender: PersonKey, for viewer: Viewer, after cursor: Cursor<Int>? = nil, limit: Int, now: Timestamp
    ) throws -> SharePage {
        let found = try shares(
            where: "shares.sender = \(sender) AND shares.recipient IS NULL" + shareList.following(cursor),
            order: " ORDER BY " + shareList.order + " LIMIT \(limit + 1)", for: viewer, now: now)
        var page = SharePage(items: Array(found.prefix(limit)))
        if found.count > limit { page.nextCursor = page.items.last.map { shareList.text(of: Int($0.id.number)) } }
        if cursor == nil, let pinned = try pin(of: sender, now: now) {
            page.pinned = try share(pinned, for: viewer, now: now)
        }
        return page
    }

    /// The shares of a statement that a viewer may see, with the reactions to them.
    private func shares(where condition: SQL, order: SQL, for viewer: Viewer, now: Timestamp) throws -> [Share] {
        var shares = try transaction.map(
            """
            SELECT shares.number, shares.content, shares.message, shares.shared_at,
                \(Standing.columns(for: viewer)), \(ShareSong.columns), own_reactions.reaction AS mine,
                own_reactions.thanked AS has_thanked, share_pins.ends_at AS pinned_until
            FROM shares JOIN people ON people.key = shares.sender
                JOIN share_contents ON share_contents.key = shares.content
                LEFT JOIN share_reactions AS own_reactions
                    ON own_reactions.share = shares.number AND own_reactions.person = \(viewer.key)
                LEFT JOIN share_pins ON share_pins.person = shares.sender AND share_pins.share = shares.number
                    AND share_pins.ends_at > \(now)
            WHERE \(condition) AND \(Self.isVisible(to: viewer))
            """ + order
        ) { try Share(row: $0, for: viewer) }
        try addReactions(to: &shares, for: viewer)
        return shares
    }

    /// The condition of shares that a viewer may see: who may see the sender's profile sees what it shares with
    /// everybody.
    static func isVisible(to viewer: Viewer) -> SQL { isVisible(toKey: "\(viewer.key)") }

    /// - Parameter viewer: as in `Facet.condition(forKey:of:)`.
    static func isVisible(toKey viewer: SQL) -> SQL {
        """
        (shares.recipient IS NULL OR shares.recipient = \(viewer) OR shares.sender = \(viewer))
            AND \(Facet.profile.condition(forKey: viewer))
        """
    }

    /// Whether a viewer may see a share, and who has sent it.
    func sender(of id: ShareID, for viewer: Viewer) throws -> PersonKey? {
        try transaction.row(
            """
            SELECT shares.sender FROM shares JOIN people ON people.key = shares.sender
            WHERE shares.number = \(id.number) AND shares.shared_at = \(id.milliseconds) AND \(Self.isVisible(to: viewer))
            """)?["sender"]
    }

    /// The pinned share of a person.
    func pin(of person: PersonKey, now: Timestamp) throws -> ShareID? {
        try transaction.row(
            """
            SELECT shares.number, shares.shared_at FROM share_pins JOIN shares ON shares.number = share_pins.share
            WHERE share_pins.person = \(person) AND share_pins.ends_at > \(now)
            """
        ).map { try ShareID(row: $0) }
    }

    /// Whether a person has sent a share that is gone.
    func hasTakenBack(_ id: ShareID, sender: PersonKey) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM share_receipts
            WHERE sender = \(sender) AND share = \(id.number) AND shared_at = \(id.milliseconds) LIMIT 1
            """) != nil
    }
}
