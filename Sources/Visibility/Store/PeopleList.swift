import Model
import Storage

private let followingList = Keyset<Int>("following", by: "follows.change", descending: true)
private let followersList = Keyset<Int>("followers", by: "follows.change", descending: true)
private let blockedList = Keyset<Int>("blocked", by: "blocks.change", descending: true)

/// A list of people that belongs to a viewer, newest first.
package enum PeopleList: Sendable, CaseIterable {
    /// Those whom the viewer follows. A private, suspended or gone person is not shown until the profile opens again.
    case following
    /// Those who follow the viewer, also with a private profile.
    case followers
    /// Those whom the viewer has blocked, whatever they show.
    case blocked

    var keyset: Keyset<Int> {
        switch self {
        case .following: followingList
        case .followers: followersList
        case .blocked: blockedList
        }
    }

    /// Reads the cursor of a page; `nil` for any other text.
    package func cursor(_ text: String) -> Cursor<Int>? { keyset.cursor(text) }

    func rows(of viewer: Viewer) -> SQL {
        switch self {
        case .following:
            """
            SELECT \(Standing.columns(for: viewer)), follows.followed_at AS since, follows.change AS change,
                CASE WHEN \(Facet.existence.condition(for: viewer)) THEN 1 ELSE 0 END AS is_visible
            FROM follows JOIN people ON people.key = follows.followed WHERE follows.follower = \(viewer.key)
            """
        case .followers:
            """
            SELECT \(Standing.columns(for: viewer)), follows.followed_at AS since, follows.change AS change,
                CASE WHEN \(Facet.act.condition(for: viewer)) THEN 1 ELSE 0 END AS is_visible
            FROM follows JOIN people ON people.key = follows.follower WHERE follows.followed = \(viewer.key)
            """
        case .blocked:
            """
            SELECT \(Standing.columns(for: viewer)), blocks.blocked_at AS since, blocks.change AS change,
                CASE WHEN people.state = 0 THEN 1 ELSE 0 END AS is_visible
            FROM blocks JOIN people ON people.key = blocks.blocked WHERE blocks.blocker = \(viewer.key)
            """
        }
    }

    /// The most rows that one page reads, visible or not.
    static let rowsOfPage = 1_000
}

/// A person in a list.
package struct PeopleListItem: Sendable, Equatable {
    package let standing: Standing
    /// Since when the person is in the list.
    package let since: Timestamp
    let change: Int

    package var key: PersonKey { standing.key }
    package var userID: String { standing.userID }

    /// - Parameter row: with ``Standing/columns(for:)``, `since` and `change`.
    package init(row: Row) throws {
        standing = try Standing(row: row)
        since = try row["since"]
        change = try row["change"]
    }
}

/// A page of people.
package struct PeoplePage: Sendable, Equatable {
    /// At most as many as were asked for; fewer, even none, where many rows are of people who are not visible.
    package var items: [PeopleListItem]
    /// Where the next page begins; `nil` at the end.
    package var nextCursor: String?
}

extension SQLReader {
    /// Reads a page of people from rows that have the columns of ``PeopleListItem``, and `is_visible`. It reads a
    /// bounded number of rows, however many of them are of people who are not visible.
    ///
    /// - Parameters:
    ///   - rows: the rows of the list, with a condition to which another can be added by ` AND`.
    ///   - keyset: orders them by their change.
    package func peoplePage(
        _ rows: SQL, by keyset: Keyset<Int>, after cursor: Cursor<Int>?, limit: Int
    ) throws -> PeoplePage {
        var page = PeoplePage(items: [])
        var (count, last, hasMore) = (0, 0, false)
        try forEachRow(
            rows + keyset.following(cursor) + " ORDER BY " + keyset.order + " LIMIT \(PeopleList.rowsOfPage)"
        ) { row in
            let isVisible: Bool = try row["is_visible"]
            if isVisible, page.items.count == limit {
                hasMore = true
                return .stop
            }
            count += 1
            last = try row["change"]
            if isVisible { page.items.append(try PeopleListItem(row: row)) }
            return .continue
        }
        if hasMore || count == PeopleList.rowsOfPage { page.nextCursor = keyset.text(of: last) }
        return page
    }
}

extension VisibilityStore {
    /// A page of a viewer's list.
    ///
    /// - Parameter limit: at most 100.
    package func page(
        of list: PeopleList, for viewer: Viewer, after cursor: Cursor<Int>? = nil, limit: Int
    ) throws -> PeoplePage {
        try transaction.peoplePage(list.rows(of: viewer), by: list.keyset, after: cursor, limit: limit)
    }
}
