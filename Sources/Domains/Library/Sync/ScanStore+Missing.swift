import Library
import LibraryWriting
import Model
import Storage

extension SourceList {
    /// The name of the row among the sightings whose key is the one up to which the list has been compared.
    fileprivate var compared: String { item + "Compared" }

    /// The condition for items that are saved now, or were.
    fileprivate var isSaved: SQL { self == .tracks ? "AND is_saved = 1" : "" }
}

extension ScanStore {
    /// Whether ``markMissing(_:by:limit:now:)`` would mark anything.
    func hasUnseen(_ list: SourceList, by scan: SourceScan, now: Timestamp = .now()) throws -> Bool {
        let (library, source, table) = (scan.libraryID, scan.source.number, list.table)
        return try transaction.row(
            """
            SELECT 1 AS found FROM \(trusted: table)
            WHERE library_id = \(library) AND source = \(source) \(list.isSaved)
                AND account_id = \(scan.accountID) AND missing_since IS NULL
                AND \(EditLock.isFree(table, list, at: now)) AND NOT EXISTS (
                    SELECT 1 FROM library_sightings
                    WHERE library_sightings.library_id = \(library) AND library_sightings.source = \(source)
                        AND item = \(list.item) AND item_id = \(trusted: table).id)
            LIMIT 1
            """) != nil
    }

    /// Whether the first scan of a list has seen items that the second one has not.
    func lacksSeen(_ list: SourceList, by scan: SourceScan) throws -> Bool {
        let (library, source) = (scan.libraryID, scan.source.number)
        return try transaction.row(
            """
            SELECT 1 AS found FROM library_sightings
            WHERE library_id = \(library) AND source = \(source) AND item = \(list.item) AND NOT EXISTS (
                SELECT 1 FROM library_sightings AS again
                WHERE again.library_id = \(library) AND again.source = \(source) AND again.item = \(list.seenAgain)
                    AND again.item_id = library_sightings.item_id)
            LIMIT 1
            """) != nil
    }
}

extension ScanStore where Access == WriteTransaction {
    /// The maximum number of items that one step marks, each of which affects several rows.
    private static var mostMarked: Int { 50 }

    /// Deletes the sightings of an earlier scan of a whole list. Must be called until it returns 0 before a scan
    /// begins.
    ///
    /// - Returns: the number of deleted sightings, up to `limit`.
    package func clearSeen(_ list: SourceList, by scan: SourceScan, limit: Int) throws -> Int {
        try setCompared(nil, of: list, by: scan)
        var count = 0
        for item in [list.item, list.seenAgain] where count < limit {
            count += try transaction.execute(
                """
                DELETE FROM library_sightings
                WHERE library_id = \(scan.libraryID) AND source = \(scan.source.number) AND item = \(item)
                    AND item_id IN (
                        SELECT item_id FROM library_sightings
                        WHERE library_id = \(scan.libraryID) AND source = \(scan.source.number)
                            AND item = \(item)
                        ORDER BY item_id LIMIT \(limit - count))
                """)
        }
        return count
    }

    /// Marks items as missing that the scan of a whole list has not seen: saved items of its account, in steps. Must
    /// be called until it returns 0; after a crash, the next call continues.
    ///
    /// - Parameter limit: the maximum number of items to compare.
    /// - Returns: the number of items that were compared, whether marked or not; 0 if none are left.
    package func markMissing(
        _ list: SourceList, by scan: SourceScan, limit: Int, now: Timestamp
    ) throws -> Int {
        _ = try transaction.library.accounts(of: scan)
        let (compared, last, missing) = try unseen(list, by: scan, limit: limit, now: now)
        try setCompared(last, of: list, by: scan)
        guard !missing.isEmpty else { return compared }
        var writes = try transaction.library.beginWrites(by: scan, now: now)
        switch list {
        case .tracks: try markTracks(missing, by: scan, in: &writes)
        case .playlists, .albums: try markItems(missing, of: list, by: scan, in: &writes)
        }
        try transaction.library.finishWrites(writes)
        return compared
    }

    /// The next items of a list that are not marked as missing and were not seen.
    private func unseen(
        _ list: SourceList, by scan: SourceScan, limit: Int, now: Timestamp
    ) throws -> (compared: Int, last: Int64?, missing: [Int64]) {
        let (library, source, table) = (scan.libraryID, scan.source.number, list.table)
        let after: Int64 =
            try transaction.row(
                """
                SELECT item_id FROM library_sightings
                WHERE library_id = \(library) AND source = \(source) AND item = \(list.compared)
                """)?["item_id"] ?? 0
        var (compared, last, missing): (Int, Int64?, [Int64]) = (0, nil, [])
        try transaction.forEachRow(
            """
            SELECT \(trusted: table).id AS id, missing_since, COALESCE(library_sightings.item_id, again.item_id) AS seen
            FROM \(trusted: table) LEFT JOIN library_sightings
                ON library_sightings.library_id = \(library) AND library_sightings.source = \(source)
                AND library_sightings.item = \(list.item) AND library_sightings.item_id = \(trusted: table).id
            LEFT JOIN library_sightings AS again
                ON again.library_id = \(library) AND again.source = \(source)
                AND again.item = \(list.seenAgain) AND again.item_id = \(trusted: table).id
            WHERE \(trusted: table).library_id = \(library) AND \(trusted: table).source = \(source)
                AND \(EditLock.isFree(table, list, at: now)) \(list.isSaved)
                AND account_id = \(scan.accountID) AND \(trusted: table).id > \(after)
            ORDER BY \(trusted: table).id LIMIT \(limit)
            """
        ) { row in
            compared += 1
            let id: Int64 = try row["id"]
            let (seen, since): (Int64?, Timestamp?) = (try row["seen"], try row["missing_since"])
            last = id
            if seen == nil && since == nil { missing.append(id) }
            return missing.count < Self.mostMarked ? .continue : .stop
        }
        return (compared, last, missing)
    }

    /// - Parameter key: the key up to which the list has been compared; `nil` if nothing is left to compare.
    private func setCompared(_ key: Int64?, of list: SourceList, by scan: SourceScan) throws {
        let (library, source) = (scan.libraryID, scan.source.number)
        try transaction.run(
            """
            DELETE FROM library_sightings
            WHERE library_id = \(library) AND source = \(source) AND item = \(list.compared)
            """)
        guard let key else { return }
        try transaction.run(
            """
            INSERT INTO library_sightings (library_id, source, item, item_id)
            VALUES (\(library), \(source), \(list.compared), \(key))
            """)
    }

    private func markTracks(
        _ ids: [Int64], by scan: SourceScan, in writes: inout LibraryWrites
    ) throws {
        let rows = try transaction.tracks.sourceTracks(ids: ids, library: scan.libraryID).sorted { $0.id < $1.id }
        try transaction.tracks.rewriteSourceTracks(
            rows.map { before in
                var after = before
                after.missingSince = writes.now
                return (before, after)
            }, in: &writes)
        for row in rows { writes.logChange(.missing, .tracks, row.id, of: row.source, title: row.track.title) }
    }

    /// Marks playlists or albums as missing.
    private func markItems(
        _ ids: [Int64], of list: SourceList, by scan: SourceScan, in writes: inout LibraryWrites
    ) throws {
        let rows = try transaction.rows(
            """
            SELECT id, name FROM \(trusted: list.table)
            WHERE +library_id = \(scan.libraryID) AND id IN (\(list: ids)) ORDER BY id
            """)
        try transaction.run(
            """
            UPDATE \(trusted: list.table) SET missing_since = \(writes.now)
            WHERE +library_id = \(scan.libraryID) AND id IN (\(list: ids))
            """)
        for row in rows {
            writes.logChange(.missing, list, try row["id"], of: scan.source, title: try row["name"])
        }
    }
}
