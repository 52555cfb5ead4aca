import Model
import Storage

/// What is kept of the readings of a list.
struct ReadingRecord: Sendable, Equatable {
    /// `nil` when the list is to be read whole.
    var last: LastReading?
    /// The entries that the last whole reading counted and did not get; `nil` before the first.
    var unread: Int?
    var wholeAt: Timestamp?

    /// Whether the list was not read whole for longer than allowed. A time in the future does not count: the clock was
    /// ahead when it was stored.
    func isWholeDue(of source: MusicSource, now: Timestamp) -> Bool {
        // What was not shown may have been cut off.
        guard let interval = source.wholeInterval ?? (unread ?? 0 > 0 ? .seconds(7 * 86_400) : nil) else {
            return false
        }
        guard let wholeAt else { return true }
        return !(.zero..<interval).contains(wholeAt.duration(to: now))
    }
}

extension LibraryStore {
    /// What is kept of the readings of a list of an account; `nil` before the first.
    func reading(of list: SourceList, by reading: SourceReading) throws -> ReadingRecord? {
        try transaction.row(
            """
            SELECT total, head, unread, whole_at FROM library_readings
            WHERE library_id = \(reading.libraryID) AND source = \(reading.source.number) AND list = \(list.rawValue)
                AND account_id = \(reading.accountID)
            """
        ).map { row in
            var record = ReadingRecord(unread: try row["unread"], wholeAt: try row["whole_at"])
            if let total: Int = try row["total"], let head: String = try row["head"] {
                record.last = LastReading(total: total, head: head)
            }
            return record
        }
    }

    /// Whether the library has items of a list and an account that are not missing.
    func hasItems(of list: SourceList, by reading: SourceReading) throws -> Bool {
        try transaction.row("SELECT 1 AS found \(present(list, reading)) LIMIT 1") != nil
    }

    /// The saved tracks of an account that are not missing, without those that readings of an unclear account wrote.
    func savedTracks(source: MusicSource, library: Int64, accountID: Int64) throws -> Int {
        let isClear = try isClear(source, library: library, accountID: accountID)
        return try transaction.row(
            """
            SELECT COUNT(*) AS count FROM library_source_tracks
            WHERE library_id = \(library) AND source = \(source.number) AND is_saved = 1
                AND account_id = \(accountID) AND missing_since IS NULL\(isClear)
            """)?["count"] ?? 0
    }

    /// Those of some items that the account has and that are not missing, with the time at which they were saved; as
    /// long as the account is unclear, of those that it had before.
    func knownItems(
        of list: SourceList, among ids: [String], by reading: SourceReading
    ) throws -> [String: Timestamp?] {
        let isClear = try isClear(reading.source, library: reading.libraryID, accountID: reading.accountID)
        return try transaction.rows(
            "SELECT source_id, added_at \(present(list, reading)) AND source_id IN (\(list: ids))\(isClear)"
        ).reduce(into: [:]) { $0.updateValue(try $1["added_at"], forKey: try $1["source_id"]) }
    }

    /// A condition on rows, with ` AND` before it. At a source that names no account, what is read with a new
    /// credential is written as the former account's until it is clear whether it is. A reading may end before that;
    /// then the next one must not take its rows for the former account's.
    ///
    /// A new credential has an account of its own until then, whose key is above those of all rows of that time.
    private func isClear(_ source: MusicSource, library: Int64, accountID: Int64) throws -> SQL {
        guard !source.namesAccount else { return "" }
        let first = try transaction.row(
            """
            SELECT MIN(id) AS id FROM library_accounts
            WHERE library_id = \(library) AND source = \(source.number) AND id > \(accountID)
            """)
        guard let first else { return "" }
        let key: Int64? = try first["id"]
        return key.map { " AND id < \($0)" } ?? ""
    }

    private func present(_ list: SourceList, _ reading: SourceReading) -> SQL {
        let table: SQL =
            switch list {
            case .tracks: "FROM library_source_tracks WHERE is_saved = 1 AND"
            case .playlists: "FROM library_playlists WHERE"
            case .albums: "FROM library_albums WHERE"
            }
        return """
            \(table) library_id = \(reading.libraryID) AND source = \(reading.source.number)
                AND account_id = \(reading.accountID) AND missing_since IS NULL
            """
    }

    /// Those of some tracks that the library has with an ISRC.
    package func tracksWithISRC(among ids: [String], source: MusicSource, userID: String) throws -> Set<String> {
        try transaction.rows(
            """
            SELECT source_id FROM libraries
            JOIN library_source_tracks ON library_source_tracks.library_id = libraries.id
            WHERE libraries.user_id = \(userID) AND library_source_tracks.source = \(source.number)
                AND source_id IN (\(list: ids)) AND isrc IS NOT NULL
            """
        ).reduce(into: []) { $0.insert(try $1["source_id"]) }
    }

    /// The country whose catalog a person uses at a source; `nil` while unknown.
    package func storefront(of source: MusicSource, userID: String) throws -> String? {
        let row = try transaction.row(
            """
            SELECT library_sources.storefront FROM libraries
            JOIN library_sources ON library_sources.library_id = libraries.id
            WHERE libraries.user_id = \(userID) AND library_sources.source = \(source.number)
            """)
        return try row?["storefront"]
    }

    /// Whether a person has to say whether the library that a source shows since its last credential is the same
    /// account's (``answerAccount(of:isSame:userID:now:)``). Until then nothing of it is marked as missing.
    package func asksForAccount(of source: MusicSource, userID: String) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM libraries JOIN library_sources ON library_sources.library_id = libraries.id
            WHERE libraries.user_id = \(userID) AND library_sources.source = \(source.number)
                AND library_sources.question IS NOT NULL
            """) != nil
    }
}

extension LibraryStore where Access == WriteTransaction {
    /// Stores what a reading saw; with `nil`, the list is read whole next time.
    ///
    /// - Parameters:
    ///   - unread: the entries that a whole reading did not get; `nil` keeps the former number.
    ///   - isWhole: whether it read the list to its end.
    func setLastReading(
        _ seen: LastReading?, unread: Int?, of list: SourceList, by reading: SourceReading, isWhole: Bool,
        now: Timestamp
    ) throws {
        let wholeAt = isWhole && seen != nil ? now : nil
        try transaction.execute(
            """
            INSERT INTO library_readings (library_id, source, list, account_id, total, head, unread, read_at, whole_at)
            VALUES (\(reading.libraryID), \(reading.source.number), \(list.rawValue), \(reading.accountID),
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

    /// Notes that a list was looked at and is unchanged.
    func noteUnchanged(_ list: SourceList, by reading: SourceReading, now: Timestamp) throws {
        try transaction.execute(
            """
            UPDATE library_readings SET read_at = \(now)
            WHERE library_id = \(reading.libraryID) AND source = \(reading.source.number) AND list = \(list.rawValue)
            """)
    }

    // MARK: Sources

    private struct SourceRow {
        var accountID: Int64?
        var storefront: String?
        var credential: String?
        var question: String?
    }

    private func sourceRow(_ source: MusicSource, library: Int64) throws -> SourceRow? {
        try transaction.row(
            """
            SELECT account_id, storefront, credential, question FROM library_sources
            WHERE library_id = \(library) AND source = \(source.number)
            """
        ).map { row in
            SourceRow(
                accountID: try row["account_id"], storefront: try row["storefront"],
                credential: try row["credential"], question: try row["question"])
        }
    }

    private func setAccount(
        _ accountID: Int64, credential: String?, question: String?, of source: MusicSource, library: Int64
    ) throws {
        try transaction.execute(
            """
            INSERT INTO library_sources (library_id, source, account_id, credential, question)
            VALUES (\(library), \(source.number), \(accountID), \(credential), \(question))
            ON CONFLICT (library_id, source) DO UPDATE SET account_id = excluded.account_id,
                credential = excluded.credential, question = excluded.question
            """)
    }

    /// Begins to read a source. Rows of a former connection may still be due for removal.
    ///
    /// - Parameter name: the account, or the mark of the credential (``LibrarySource/account``).
    func beginSource(_ source: MusicSource, account name: String, library: Int64, now: Timestamp) throws -> AccountFacts
    {
        let row = try sourceRow(source, library: library)
        let needsStorefront = !source.namesAccount && row?.storefront == nil
        func facts(_ accountID: Int64, _ doubt: AccountDoubt) -> AccountFacts {
            AccountFacts(account: name, accountID: accountID, doubt: doubt, needsStorefront: needsStorefront)
        }
        guard !source.namesAccount, let row, let accountID = row.accountID else {
            let accountID = try account(name, of: source, library: library, now: now)
            try setAccount(
                accountID, credential: source.namesAccount ? nil : name, question: nil, of: source, library: library)
            return facts(accountID, .none)
        }
        if row.credential == name {
            if row.question != nil {
                try setAccount(accountID, credential: name, question: nil, of: source, library: library)
            }
            return facts(accountID, .none)
        }
        if row.question == name { return facts(accountID, .asked) }
        _ = try account(name, of: source, library: library, now: now)
        let known = try savedTracks(source: source, library: library, accountID: accountID)
        guard known > 0 else {
            // There is nothing to compare with, and nothing to be marked.
            try setAccount(accountID, credential: name, question: nil, of: source, library: library)
            try dropUnclearAccounts(of: source, library: library, accountID: accountID)
            return facts(accountID, .none)
        }
        return facts(accountID, .undecided(known: known, appeared: 0))
    }

    /// Stores whether the library that a new credential shows is the same account's; otherwise the person is asked.
    func settleAccount(_ name: String, isSame: Bool, by reading: SourceReading) throws {
        let credential = try sourceRow(reading.source, library: reading.libraryID)?.credential
        try setAccount(
            reading.accountID, credential: isSame ? name : credential, question: isSame ? nil : name,
            of: reading.source, library: reading.libraryID)
        guard isSame else { return }
        try dropUnclearAccounts(of: reading.source, library: reading.libraryID, accountID: reading.accountID)
    }

    /// Deletes the accounts of new credentials, since it is clear whose library they show.
    private func dropUnclearAccounts(of source: MusicSource, library: Int64, accountID: Int64) throws {
        try transaction.execute(
            """
            DELETE FROM library_accounts
            WHERE library_id = \(library) AND source = \(source.number) AND id > \(accountID)
            """)
    }

    /// Takes a person's answer to the question whose library a source shows since its last credential. With the same
    /// account, the next sync marks what is missing; with another one, the rows of the former stay as they are. Either
    /// way the next sync reads the source whole: submit one in the same transaction.
    ///
    /// - Returns: `false` when there is no such question.
    package func answerAccount(
        of source: MusicSource, isSame: Bool, userID: String, now: Timestamp
    ) throws -> Bool {
        let library = try open(userID: userID, now: now)
        guard let row = try sourceRow(source, library: library), let name = row.question,
            let accountID = row.accountID
        else { return false }
        let present = isSame ? accountID : try account(name, of: source, library: library, now: now)
        try setAccount(present, credential: name, question: nil, of: source, library: library)
        if isSame { try dropUnclearAccounts(of: source, library: library, accountID: accountID) }
        try transaction.execute(
            """
            UPDATE library_readings SET total = NULL, head = NULL
            WHERE library_id = \(library) AND source = \(source.number)
            """)
        transaction.noteChange(of: [userID], topic: .library)
        return true
    }

    func setStorefront(_ storefront: String, of source: MusicSource, library: Int64) throws {
        try transaction.execute(
            """
            UPDATE library_sources SET storefront = \(storefront)
            WHERE library_id = \(library) AND source = \(source.number)
            """)
    }

    func noteCompleted(_ source: MusicSource, library: Int64, now: Timestamp) throws {
        try transaction.execute(
            """
            UPDATE library_sources SET completed_at = \(now)
            WHERE library_id = \(library) AND source = \(source.number)
            """)
    }
}
