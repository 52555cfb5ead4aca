import Model
import Storage
import Visibility

/// The order of those who reacted to a share: the latest first.
package let shareReactionList = Keyset<Int>("shareReactions", by: "share_reactions.change", descending: true)

/// Somebody who reacted to a share.
package struct ShareReactor: Sendable, Equatable {
    package let person: PeopleListItem
    /// `nil` for thanks alone.
    package let reaction: ShareReaction?
    package let hasThanked: Bool
}

/// A page of those who reacted to a share.
package struct ShareReactorPage: Sendable, Equatable {
    /// Those whose name and picture the viewer may see; fewer than were asked for, even none, where many others are.
    package var items: [ShareReactor] = []
    /// How many others there are in this part of the list. All pages together have those of the whole list.
    package var others = 0
    /// Where the next page begins; `nil` at the end.
    package var nextCursor: String?
}

extension ShareStore {
    /// The most reactions that one page reads.
    private static var mostReactionsOfPage: Int { 1_000 }

    /// A page of those who reacted to a share. Whom the viewer may not see is counted and not named: the viewer could
    /// neither block nor report somebody whose profile looks like that of nobody. Those whom a block hides are not
    /// counted either.
    ///
    /// - Parameter limit: the most people that are named.
    /// - Returns: `nil` for a share that the viewer may not see.
    package func reactors(
        to id: ShareID, for viewer: Viewer, after cursor: Cursor<Int>? = nil, limit: Int
    ) throws -> ShareReactorPage? {
        guard let sender = try sender(of: id, for: viewer) else { return nil }
        var page = ShareReactorPage()
        var (count, last, hasMore) = (0, 0, false)
        try transaction.forEachRow(
            """
            SELECT \(Standing.columns(for: viewer)), share_reactions.reacted_at AS since,
                share_reactions.change AS change, share_reactions.reaction AS reaction,
                share_reactions.thanked AS thanked,
                CASE WHEN \(Self.isNamed(to: viewer, sender: sender)) THEN 1 ELSE 0 END AS is_named
            FROM share_reactions JOIN people ON people.key = share_reactions.person
            WHERE share_reactions.share = \(id.number)\(shareReactionList.following(cursor))
                AND share_reactions.person NOT IN (\(Self.blocked(for: viewer)))
            ORDER BY \(shareReactionList.order) LIMIT \(Self.mostReactionsOfPage)
            """
        ) { row in
            let isNamed: Bool = try row["is_named"]
            if isNamed, page.items.count == limit {
                hasMore = true
                return .stop
            }
            count += 1
            last = try row["change"]
            guard isNamed else {
                page.others += 1
                return .continue
            }
            page.items.append(
                ShareReactor(
                    person: try PeopleListItem(row: row),
                    reaction: (try row["reaction"] as Int64?).flatMap(ShareReaction.init(number:)),
                    hasThanked: try row["thanked"]))
            return .continue
        }
        if hasMore || count == Self.mostReactionsOfPage { page.nextCursor = shareReactionList.text(of: last) }
        return page
    }

    /// The condition of people whose name and picture the viewer sees with their reaction.
    private static func isNamed(to viewer: Viewer, sender: PersonKey) -> SQL {
        sender == viewer.key ? Facet.isNamed(to: viewer) : Facet.existence.condition(for: viewer)
    }
}
