import Library
import Model
import Storage

/// The erasure of users' libraries, read or written in a transaction: `transaction.libraryErasure`.
struct LibraryErasureStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    var libraryErasure: LibraryErasureStore<Self> { LibraryErasureStore(transaction: self) }
}

/// The erasure of a user's library. The keys of items are texts that consist of row numbers or ranges of rows,
/// separated by slashes.
extension LibraryErasureStore {
    /// The number of narrow rows that are deleted together.
    private var rangeSize: Int { 32 }

    /// A condition that selects the rows of a user's library.
    fileprivate static func ofLibrary(of userID: String) -> SQL {
        "library_id = (SELECT id FROM libraries WHERE user_id = \(userID))"
    }

    /// Whether a user has accounts whose libraries are read.
    func hasAccounts(userID: String) throws -> Bool {
        let row = try transaction.row(
            "SELECT 1 AS found FROM library_accounts WHERE \(Self.ofLibrary(of: userID)) LIMIT 1")
        return row != nil
    }

    /// Whether nothing is left but the row of the library itself.
    func isOnlyRow(userID: String) throws -> Bool {
        guard try transaction.library.libraryID(ofUser: userID) != nil else { return false }
        return try !hasAccounts(userID: userID)
    }

    /// Rows of one of a library's tables, in no particular order.
    func erasedRows(of table: StaticString, userID: String, limit: Int) throws -> [ErasureStep.Item] {
        try transaction.map(
            "SELECT id FROM \(trusted: table) WHERE \(Self.ofLibrary(of: userID)) LIMIT \(limit)"
        ) { .init("\(try $0["id"] as Int64)") }
    }

    func erasedSearchBlocks(userID: String, limit: Int) throws -> [ErasureStep.Item] {
        try transaction.map(
            """
            SELECT first_id, LENGTH(texts) + LENGTH(entries) AS bytes FROM library_search_blocks
            WHERE \(Self.ofLibrary(of: userID)) ORDER BY first_id LIMIT \(limit)
            """
        ) { .init("\(try $0["first_id"] as Int64)", bytes: try $0["bytes"]) }
    }

    /// Ranges of a user's change log.
    func erasedChanges(userID: String, limit: Int) throws -> [ErasureStep.Item] {
        let rows = try transaction.map(
            """
            SELECT id FROM library_changes WHERE \(Self.ofLibrary(of: userID))
            ORDER BY id LIMIT \(limit * rangeSize)
            """
        ) { (group: "", key: try $0["id"] as Int64) }
        return ranges(of: rows)
    }

    /// Ranges of sightings.
    func erasedSeen(userID: String, limit: Int) throws -> [ErasureStep.Item] {
        let rows = try transaction.map(
            """
            SELECT source, item, item_id FROM library_sightings WHERE \(Self.ofLibrary(of: userID))
            ORDER BY source, item, item_id LIMIT \(limit * rangeSize)
            """
        ) { row in
            let (source, item): (Int, String) = (try row["source"], try row["item"])
            return (group: "\(source)/\(item)/", key: try row["item_id"] as Int64)
        }
        return ranges(of: rows)
    }

    /// Ranges of playlist entries.
    func erasedEntries(userID: String, limit: Int) throws -> [ErasureStep.Item] {
        let rows = try transaction.map(
            """
            SELECT playlist_id, version, position
            FROM library_playlists JOIN library_playlist_entries
                ON library_playlist_entries.playlist_id = library_playlists.id
            WHERE library_playlists.user_id = \(userID)
            ORDER BY library_playlists.id, version, position LIMIT \(limit * rangeSize)
            """
        ) { row in
            let (playlist, version): (Int64, Int64) = (try row["playlist_id"], try row["version"])
            return (group: "\(playlist)/\(version)/", key: try row["position"] as Int64)
        }
        return ranges(of: rows)
    }

    /// Combines neighboring rows of one group into items, which consist of the group, the first key and the last.
    private func ranges(of rows: [(group: String, key: Int64)]) -> [ErasureStep.Item] {
        var items: [ErasureStep.Item] = []
        var rest = rows[...]
        while let first = rest.first {
            let part = rest.prefix(rangeSize).prefix { $0.group == first.group }
            let last = part.last ?? first
            // A row takes up about 128 bytes, including its index entries.
            items.append(.init("\(first.group)\(first.key)/\(last.key)", bytes: part.count * 128))
            rest = rest.dropFirst(part.count)
        }
        return items
    }

    /// Ranges of a table's rows.
    func erasedRanges(of table: RangedTable, userID: String, limit: Int) throws -> [ErasureStep.Item] {
        let rows = try transaction.map(
            """
            SELECT \(trusted: table.column) AS value FROM \(trusted: table.name) WHERE \(Self.ofLibrary(of: userID))
            ORDER BY \(trusted: table.column) LIMIT \(limit * rangeSize)
            """
        ) { (group: "", key: try $0["value"] as Int64) }
        return ranges(of: rows)
    }
}

/// Tables of narrow rows that are erased by ranges of a column. Rows with equal values are adjacent.
struct RangedTable {
    let name: StaticString
    let column: StaticString

    static let identityKeys = RangedTable(name: "library_identity_keys", column: "identity_key")
    static let duplicates = RangedTable(name: "library_duplicates", column: "first_track_id")
    static let decisionTracks = RangedTable(name: "library_decision_tracks", column: "decision_id")
}

extension LibraryErasureStore where Access == WriteTransaction {
    /// The numbers of a key, which this store made of a row. What is not a number is left out.
    private static func numbers(in key: String) -> [Int64] {
        key.split(separator: "/").compactMap { Int64(decimal: $0, in: .min ... .max) }
    }

    func eraseRanges(_ ranges: [String], of table: RangedTable, userID: String) throws {
        for range in ranges {
            let numbers = Self.numbers(in: range)
            try transaction.run(
                """
                DELETE FROM \(trusted: table.name)
                WHERE \(Self.ofLibrary(of: userID)) AND \(trusted: table.column) >= \(numbers[0])
                    AND \(trusted: table.column) <= \(numbers[1])
                """)
        }
    }

    /// Deletes the few rows of accounts and of their readings, so that readings in progress end.
    func eraseAccounts(userID: String) throws {
        for table: StaticString in [
            "library_readings", "library_fetched_pages", "library_sources", "library_accounts",
        ] {
            try transaction.run("DELETE FROM \(trusted: table) WHERE \(Self.ofLibrary(of: userID))")
        }
    }

    func erase(_ keys: [String], of table: StaticString, userID: String) throws {
        try transaction.run(
            """
            DELETE FROM \(trusted: table)
            WHERE +\(Self.ofLibrary(of: userID)) AND id IN (\(list: keys.flatMap(Self.numbers(in:))))
            """)
    }

    func eraseSearchBlocks(_ keys: [String], userID: String) throws {
        try transaction.run(
            """
            DELETE FROM library_search_blocks
            WHERE \(Self.ofLibrary(of: userID)) AND first_id IN (\(list: keys.flatMap(Self.numbers(in:))))
            """)
    }

    func eraseChanges(_ ranges: [String], userID: String) throws {
        for range in ranges {
            let numbers = Self.numbers(in: range)
            try transaction.run(
                """
                DELETE FROM library_changes
                WHERE \(Self.ofLibrary(of: userID)) AND id >= \(numbers[0]) AND id <= \(numbers[1])
                """)
        }
    }

    func eraseSeen(_ ranges: [String], userID: String) throws {
        for range in ranges {
            let parts = range.split(separator: "/").map(String.init)
            let numbers = parts.map { Self.numbers(in: $0).first ?? 0 }
            try transaction.run(
                """
                DELETE FROM library_sightings
                WHERE \(Self.ofLibrary(of: userID)) AND source = \(numbers[0]) AND item = \(parts[1])
                    AND item_id >= \(numbers[2]) AND item_id <= \(numbers[3])
                """)
        }
    }

    func eraseEntries(_ ranges: [String], userID: String) throws {
        for range in ranges {
            let numbers = Self.numbers(in: range)
            try transaction.run(
                """
                DELETE FROM library_playlist_entries
                WHERE playlist_id = (SELECT id FROM library_playlists WHERE user_id = \(userID) AND id = \(numbers[0]))
                    AND version = \(numbers[1]) AND position >= \(numbers[2]) AND position <= \(numbers[3])
                """)
        }
    }

    /// Deletes the row of a library that has no other rows left.
    func eraseLibrary(userID: String) throws {
        guard try isOnlyRow(userID: userID) else { return }
        try transaction.run("DELETE FROM libraries WHERE user_id = \(userID)")
    }
}
