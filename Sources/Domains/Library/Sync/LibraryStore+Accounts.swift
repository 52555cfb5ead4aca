import Library
import LibraryWriting
import Model
import Storage

extension LibraryStore {
    /// Whether a user has to say whether the library that a source has shown since its last credential belongs to the
    /// same account (``answerAccount(of:isSame:userID:now:)``). Until then, nothing in it is marked as missing.
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
        try transaction.run(
            """
            INSERT INTO library_sources (library_id, source, account_id, credential, question)
            VALUES (\(library), \(source.number), \(accountID), \(credential), \(question))
            ON CONFLICT (library_id, source) DO UPDATE SET account_id = excluded.account_id,
                credential = excluded.credential, question = excluded.question
            """)
    }

    /// Begins reading a source. Rows of a former connection may still be due for deletion.
    ///
    /// - Parameters:
    ///   - name: the account, or the marker of the credential (``LibrarySource/account``).
    ///   - formerName: another id of the account (``LibrarySource/formerAccount``).
    func beginSource(
        _ source: MusicSource, account name: String, formerly formerName: String? = nil, library: Int64, now: Timestamp
    ) throws -> AccountFacts {
        if let formerName { try renameAccount(formerName, to: name, of: source, library: library) }
        let row = try sourceRow(source, library: library)
        let needsStorefront = !source.namesAccount && row?.storefront == nil
        func facts(_ accountID: Int64, _ doubt: AccountUncertainty) -> AccountFacts {
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
        let unclear = try account(name, of: source, library: library, now: now)
        let known = try transaction.scans.savedTrackCount(
            source: source, library: library, accountID: accountID)
        guard known > 0 else {
            // There are no tracks to compare with. Playlists and albums may belong to a different account, so they must
            // not be marked as missing; those that the credential shows are moved to the new account.
            let present = try hasOtherItems(source, library: library, accountID: accountID) ? unclear : accountID
            try setAccount(present, credential: name, question: nil, of: source, library: library)
            try dropUnclearAccounts(of: source, library: library, accountID: present)
            return facts(present, .none)
        }
        return facts(accountID, .undecided(known: known, appeared: 0))
    }

    /// Assigns the rows under an account's former id to its current one, unless that has rows as well.
    private func renameAccount(_ former: String, to name: String, of source: MusicSource, library: Int64) throws {
        try transaction.run(
            """
            UPDATE library_accounts SET account = \(name)
            WHERE library_id = \(library) AND source = \(source.number) AND account = \(former) AND NOT EXISTS (
                SELECT 1 FROM library_accounts AS present
                WHERE present.library_id = \(library) AND present.source = \(source.number)
                    AND present.account = \(name))
            """)
    }

    /// Whether the library has playlists or albums of an account that are not missing.
    private func hasOtherItems(_ source: MusicSource, library: Int64, accountID: Int64) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM library_playlists
            WHERE library_id = \(library) AND source = \(source.number) AND account_id = \(accountID)
                AND missing_since IS NULL
            UNION ALL
            SELECT 1 FROM library_albums
            WHERE library_id = \(library) AND source = \(source.number) AND account_id = \(accountID)
                AND missing_since IS NULL
            LIMIT 1
            """) != nil
    }

    /// Stores whether the library that a new credential shows belongs to the same account. If it does not, the user is
    /// asked, even if they have dismissed an earlier question.
    func confirmAccount(_ name: String, isSame: Bool, by scan: SourceScan) throws {
        let credential = try sourceRow(scan.source, library: scan.libraryID)?.credential
        try setAccount(
            scan.accountID, credential: isSame ? name : credential, question: isSame ? nil : name,
            of: scan.source, library: scan.libraryID)
        guard isSame else {
            try transaction.syncs.showQuestion(of: scan.source, sync: scan.sync, userID: scan.userID)
            return
        }
        try dropUnclearAccounts(of: scan.source, library: scan.libraryID, accountID: scan.accountID)
    }

    /// Deletes the accounts of new credentials, since it is now clear whose library they show.
    private func dropUnclearAccounts(of source: MusicSource, library: Int64, accountID: Int64) throws {
        try transaction.run(
            """
            DELETE FROM library_accounts
            WHERE library_id = \(library) AND source = \(source.number) AND id > \(accountID)
                AND account <> \(accountOfFiles)
            """)
    }

    /// Handles a user's answer to the question whose library a source has shown since its last credential. If it is the
    /// same account, the next sync marks what is missing; if it is a different one, the rows of the former account stay
    /// as they are. Either way, the next sync reads the source whole and must be submitted in the same transaction.
    ///
    /// - Returns: `false` if there is no such question.
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
        try transaction.run(
            """
            UPDATE library_readings SET total = NULL, head = NULL
            WHERE library_id = \(library) AND source = \(source.number)
            """)
        transaction.recordChange(of: [userID], topic: .library)
        return true
    }

    // MARK: What a sync has read

    func setStorefront(_ storefront: String, of source: MusicSource, library: Int64) throws {
        try transaction.run(
            """
            UPDATE library_sources SET storefront = \(storefront)
            WHERE library_id = \(library) AND source = \(source.number)
            """)
    }

    func recordCompletion(of source: MusicSource, library: Int64, now: Timestamp) throws {
        try transaction.run(
            """
            UPDATE library_sources SET completed_at = \(now)
            WHERE library_id = \(library) AND source = \(source.number)
            """)
    }
}
