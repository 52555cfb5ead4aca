import LibraryWriting
import Model
import Storage

extension ScanStore {
    /// The record of the scans of an account's list; `nil` before the first one.
    func scanRecord(of list: SourceList, by scan: SourceScan) throws -> ScanRecord? {
        try transaction.row(
            """
            SELECT total, head, unread, whole_at FROM library_readings
            WHERE library_id = \(scan.libraryID) AND source = \(scan.source.number) AND list = \(list.rawValue)
                AND account_id = \(scan.accountID)
            """
        ).map { row in
            var record = ScanRecord(unread: try row["unread"], wholeAt: try row["whole_at"])
            if let total: Int = try row["total"], let head: String = try row["head"] {
                record.last = LastScan(total: total, head: head)
            }
            return record
        }
    }

    /// Whether the library has items of an account's list that are not missing.
    func hasItems(of list: SourceList, by scan: SourceScan) throws -> Bool {
        try transaction.row("SELECT 1 AS found \(present(list, scan)) LIMIT 1") != nil
    }

    /// The number of an account's saved tracks that are not missing, without those that scans of an unclear account
    /// wrote.
    func savedTrackCount(source: MusicSource, library: Int64, accountID: Int64) throws -> Int {
        let isClear = try isClear(source, library: library, accountID: accountID)
        return try transaction.row(
            """
            SELECT COUNT(*) AS count FROM library_source_tracks
            WHERE library_id = \(library) AND source = \(source.number) AND is_saved = 1
                AND account_id = \(accountID) AND missing_since IS NULL\(isClear)
            """)?["count"] ?? 0
    }

    /// The given items that the account has and that are not missing, with the time at which they were saved. While the
    /// account is unclear, only items that it had before count.
    func knownItems(
        of list: SourceList, among ids: [String], by scan: SourceScan
    ) throws -> [String: Timestamp?] {
        let isClear = try isClear(scan.source, library: scan.libraryID, accountID: scan.accountID)
        return try transaction.rows(
            "SELECT source_id, added_at \(present(list, scan)) AND source_id IN (\(list: ids))\(isClear)"
        ).reduce(into: [:]) { $0.updateValue(try $1["added_at"], forKey: try $1["source_id"]) }
    }

    /// An SQL condition on rows, beginning with ` AND`. At a source that does not identify the account, rows read with
    /// a new credential are written under the former account until it is clear whether the account is the same. A
    /// scan may end before that; then the next one must not mistake its rows for the former account's.
    ///
    /// Until then, a new credential has an account of its own, whose key is higher than those of all rows that existed
    /// then.
    private func isClear(_ source: MusicSource, library: Int64, accountID: Int64) throws -> SQL {
        guard !source.namesAccount else { return "" }
        let first = try transaction.row(
            """
            SELECT MIN(id) AS id FROM library_accounts
            WHERE library_id = \(library) AND source = \(source.number) AND id > \(accountID)
                AND account <> \(accountOfFiles)
            """)
        guard let first else { return "" }
        let key: Int64? = try first["id"]
        return key.map { " AND id < \($0)" } ?? ""
    }

    private func present(_ list: SourceList, _ scan: SourceScan) -> SQL {
        let table: SQL =
            switch list {
            case .tracks: "FROM library_source_tracks WHERE is_saved = 1 AND"
            case .playlists: "FROM library_playlists WHERE"
            case .albums: "FROM library_albums WHERE"
            }
        return """
            \(table) library_id = \(scan.libraryID) AND source = \(scan.source.number)
                AND account_id = \(scan.accountID) AND missing_since IS NULL
            """
    }
}

extension ScanStore where Access == WriteTransaction {
    /// Stores what a scan saw; with `nil`, the list is read whole next time.
    ///
    /// - Parameters:
    ///   - unread: the number of entries that a whole scan could not read; `nil` keeps the former number.
    ///   - isWhole: whether it read the list to its end.
    func setLastScan(
        _ seen: LastScan?, unread: Int?, of list: SourceList, by scan: SourceScan, isWhole: Bool,
        now: Timestamp
    ) throws {
        let wholeAt = isWhole && seen != nil ? now : nil
        try transaction.run(
            """
            INSERT INTO library_readings (library_id, source, list, account_id, total, head, unread, read_at, whole_at)
            VALUES (\(scan.libraryID), \(scan.source.number), \(list.rawValue), \(scan.accountID),
                \(seen?.total), \(seen?.head), \(unread), \(now), \(wholeAt))
            ON CONFLICT (library_id, source, list) DO UPDATE SET
                total = excluded.total, head = excluded.head, read_at = excluded.read_at,
                unread = CASE WHEN library_readings.account_id = excluded.account_id
                    THEN COALESCE(excluded.unread, library_readings.unread) ELSE excluded.unread END,
                whole_at = CASE WHEN library_readings.account_id = excluded.account_id
                    THEN COALESCE(excluded.whole_at, library_readings.whole_at) ELSE excluded.whole_at END,
                account_id = excluded.account_id
            """)
    }

    /// Records that a list was checked and is unchanged.
    func recordUnchanged(_ list: SourceList, by scan: SourceScan, now: Timestamp) throws {
        try transaction.run(
            """
            UPDATE library_readings SET read_at = \(now)
            WHERE library_id = \(scan.libraryID) AND source = \(scan.source.number) AND list = \(list.rawValue)
            """)
    }
}
