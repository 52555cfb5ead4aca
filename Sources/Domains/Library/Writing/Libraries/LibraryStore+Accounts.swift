import Library
import Model
import Storage

/// The name of the account that rows from files belong to. No sync reads it, so none marks them as missing.
package let accountOfFiles = "file"

extension LibraryStore {
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
    package func accounts(of scan: SourceScan) throws -> Set<Int64> {
        let accounts = try accounts(of: scan.source, library: scan.libraryID)
        guard accounts.contains(scan.accountID) else { throw LibraryError.scanEnded }
        return accounts
    }

    /// Whether the account is still one whose library is read. Otherwise its rows are about to be deleted.
    package func hasAccount(of scan: SourceScan) throws -> Bool {
        try accounts(of: scan.source, library: scan.libraryID).contains(scan.accountID)
    }
}

extension LibraryStore where Access == WriteTransaction {
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
}
