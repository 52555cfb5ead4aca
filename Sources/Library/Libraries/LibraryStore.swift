import Model
import Storage

/// Users' libraries, and the accounts and sources that they are read from. Read or written in a transaction:
/// `transaction.library`.
package struct LibraryStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var library: LibraryStore<Self> { LibraryStore(transaction: self) }
}

extension ChangeTopic {
    /// Syncs of libraries, and what they wrote.
    package static let library = ChangeTopic("library")
}

extension LibraryStore {
    /// The key of a user's library; `nil` before the first sync.
    func libraryID(ofUser userID: String) throws -> Int64? {
        try transaction.row("SELECT id FROM libraries WHERE user_id = \(userID)")?["id"]
    }

    /// The highest key of all rows.
    func lastKey() throws -> Int64 {
        try transaction.row("SELECT value FROM library_keys")?["value"] ?? 0
    }

    /// The accounts of a source whose libraries are read. Rows that refer to any other account are about to be deleted.
    func accounts(of source: MusicSource, library: Int64) throws -> Set<Int64> {
        Set(
            try transaction.map(
                "SELECT id FROM library_accounts WHERE library_id = \(library) AND source = \(source.number)"
            ) { try $0["id"] })
    }

    /// The accounts of a scan's source.
    ///
    /// - Throws: ``LibraryError/scanEnded`` if the scan's account is not one of them: the source was
    ///   disconnected, or the user deleted, after the scan began.
    func accounts(of scan: SourceScan) throws -> Set<Int64> {
        let accounts = try accounts(of: scan.source, library: scan.libraryID)
        guard accounts.contains(scan.accountID) else { throw LibraryError.scanEnded }
        return accounts
    }

    /// Whether the account is still one whose library is read. Otherwise its rows are about to be deleted.
    func hasAccount(of scan: SourceScan) throws -> Bool {
        try accounts(of: scan.source, library: scan.libraryID).contains(scan.accountID)
    }
}

extension LibraryStore where Access == WriteTransaction {
    /// The key of a user's library, which is created on first use.
    package func open(userID: String, now: Timestamp) throws -> Int64 {
        if let id = try libraryID(ofUser: userID) { return id }
        let id = try nextKey(now: now)
        try transaction.run(
            """
            INSERT INTO libraries (user_id, id, change, identity_rules, identity_stage)
            VALUES (\(userID), \(id), \(try transaction.nextChange()), \(TrackIdentity.version),
                \(RegroupStage.done.rawValue))
            """)
        return id
    }

    /// The key of an account at a source, which is created on first use.
    ///
    /// - Parameter account: the service's id of the account, which never changes.
    package func account(_ account: String, of source: MusicSource, library: Int64, now: Timestamp) throws -> Int64 {
        let known = try transaction.row(
            """
            SELECT id FROM library_accounts
            WHERE library_id = \(library) AND source = \(source.number) AND account = \(account)
            """)
        if let known { return try known["id"] }
        let id = try nextKey(now: now)
        try transaction.run(
            """
            INSERT INTO library_accounts (library_id, source, account, id)
            VALUES (\(library), \(source.number), \(account), \(id))
            """)
        return id
    }

    /// Returns a key that is higher than those of all rows.
    package func nextKey(now: Timestamp) throws -> Int64 {
        let key = max(try lastKey() + 1, LibraryID(first: now).key)
        try transaction.run("UPDATE library_keys SET value = \(key)")
        return key
    }
}
