import Storage

/// The keys of a page's items, before their rows are read.
struct PageIDs {
    var ids: [Int64]
    var total: Int
    /// Whether there are items after these.
    var hasMore: Bool
}

extension PageIDs {
    /// Reads the keys of a page of playlists or albums from the index of their names.
    init(
        _ query: NameListQuery, of list: Keyset<String, Int>, in table: SQL, total: Int, library: Int64,
        _ transaction: some SQLReader
    ) throws {
        let (following, offset) = list.beginning(of: query.start)
        let ids: [Int64] = try transaction.map(
            """
            SELECT id FROM \(table) WHERE library_id = \(library)\(query.condition)\(following)
            ORDER BY \(list.order) LIMIT \(query.limit + 1) OFFSET \(offset)
            """
        ) { try $0["id"] }
        self.init(ids: Array(ids.prefix(query.limit)), total: total, hasMore: ids.count > query.limit)
    }
}
