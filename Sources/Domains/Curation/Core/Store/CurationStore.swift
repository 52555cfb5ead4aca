import Model
import Storage

/// The lists that are made for people, read or written in a transaction: `transaction.curation`.
package struct CurationStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var curation: CurationStore<Self> { CurationStore(transaction: self) }
}

extension ItemKind {
    package static let curatedList = ItemKind("curatedList")
    package static let blendPartner = ItemKind("blendPartner")
}

extension ChangeTopic {
    /// Lists that are made for people.
    package static let curatedLists = ChangeTopic("curatedLists")
}

/// The order of people's lists of one kind: the newest first.
package let curatedListPages = Keyset<RowID>("curatedLists", by: "id", descending: true)

extension CurationStore {
    package func list(_ id: String, userID: String) throws -> CuratedList? {
        try transaction.row(
            "SELECT \(CuratedList.columns) FROM curated_lists WHERE user_id = \(userID) AND id = \(id)"
        ).map { try CuratedList(row: $0) }
    }

    /// A page of a person's lists of one kind, the newest first.
    package func lists(
        of kind: CurationRequest.Kind, userID: String, cursor: Cursor<RowID>?, limit: Int
    ) throws -> (items: [CuratedList], nextCursor: String?) {
        let found = try transaction.map(
            """
            SELECT \(CuratedList.columns) FROM curated_lists
            WHERE user_id = \(userID) AND kind = \(kind.rawValue)\(curatedListPages.following(cursor))
            ORDER BY \(curatedListPages.order) LIMIT \(limit + 1)
            """, CuratedList.init)
        let items = Array(found.prefix(limit))
        let next = found.count > limit ? items.last.map { curatedListPages.text(of: RowID($0.id)) } : nil
        return (items, next)
    }

    /// A person's latest complete list of one kind.
    package func latest(of kind: CurationRequest.Kind, userID: String) throws -> CuratedList? {
        try transaction.row(
            """
            SELECT \(CuratedList.columns) FROM curated_lists
            WHERE user_id = \(userID) AND kind = \(kind.rawValue) AND state = 'complete' ORDER BY id DESC LIMIT 1
            """
        ).map { try CuratedList(row: $0) }
    }

    /// The latest complete list with a cache key.
    func list(cacheKey: String, userID: String) throws -> CuratedList? {
        try transaction.row(
            """
            SELECT \(CuratedList.columns) FROM curated_lists
            WHERE user_id = \(userID) AND cache_key = \(cacheKey) AND state = 'complete' ORDER BY id DESC LIMIT 1
            """
        ).map { try CuratedList(row: $0) }
    }

    /// The songs of a list, in order. Those of a blend that is separated from the other person say nothing about them.
    package func tracks(of list: CuratedList) throws -> [CuratedTrack] {
        let isSeparated = list.request.kind == .blend && list.partnerID == nil
        return try transaction.map(
            """
            SELECT track FROM curated_tracks WHERE user_id = \(list.userID) AND list_id = \(list.id) ORDER BY position
            """
        ) { row in
            let track: CuratedTrack = try JSONColumn.decode(try row["track"], column: "track")
            return isSeparated ? track.withoutPartner() : track
        }
    }

    /// A person's lists that changed after `change`, in the order of their changes.
    package func changed(userID: String, after change: Int64, limit: Int) throws -> [CuratedList] {
        try transaction.map(
            """
            SELECT \(CuratedList.columns) FROM curated_lists
            WHERE user_id = \(userID) AND change > \(change) ORDER BY change LIMIT \(limit)
            """, CuratedList.init)
    }

    /// The numbers of a person's lists that are being made, and of their blends that wait for the other person's
    /// consent.
    func unfinished(userID: String) throws -> (made: Int, waiting: Int) {
        let row = try transaction.row(
            """
            SELECT COUNT(job_id) AS made, COUNT(*) AS lists FROM curated_lists
            WHERE user_id = \(userID) AND state NOT IN ('complete', 'failed')
            """)
        let made: Int = try row?["made"] ?? 0
        return (made, try (row?["lists"] ?? 0) - made)
    }

    /// The tokens that were used for a person in the month (UTC) of a given time.
    package func tokensUsed(userID: String, at moment: Timestamp) throws -> Int {
        try transaction.row(
            "SELECT tokens FROM curation_usage WHERE user_id = \(userID) AND month = \(UsageMonth(moment).text)"
        )?["tokens"] ?? 0
    }
}

/// A month (UTC) in which tokens are counted, such as `2026-11`.
struct UsageMonth {
    let text: String

    init(_ moment: Timestamp) {
        text = String(moment.description.prefix(7))
    }
}
