import Model
import Storage

extension LibraryStore {
    /// The key of a person's library; `nil` before the first sync.
    func libraryID(ofUser userID: String) throws -> Int64? {
        try transaction.row("SELECT id FROM libraries WHERE user_id = \(userID)")?["id"]
    }

    /// The newest key of any row.
    func lastKey() throws -> Int64 {
        try transaction.row("SELECT value FROM library_keys")?["value"] ?? 0
    }

    /// The accounts of a source whose libraries are read. Rows that name another are to be removed.
    func accounts(of source: MusicSource, library: Int64) throws -> Set<Int64> {
        Set(
            try transaction.map(
                "SELECT id FROM library_accounts WHERE library_id = \(library) AND source = \(source.number)"
            ) { try $0["id"] })
    }

    /// The accounts of a reading's source.
    ///
    /// - Throws: ``LibraryError/readingEnded`` when its own is not one of them: the source was disconnected, or the
    ///   person deleted, after it began.
    func accounts(of reading: SourceReading) throws -> Set<Int64> {
        let accounts = try accounts(of: reading.source, library: reading.libraryID)
        guard accounts.contains(reading.accountID) else { throw LibraryError.readingEnded }
        return accounts
    }
}

extension LibraryStore where Access == WriteTransaction {
    /// The key of a person's library, which is made at its first use.
    package func open(userID: String, now: Timestamp) throws -> Int64 {
        if let id = try libraryID(ofUser: userID) { return id }
        let id = try nextKey(now: now)
        try transaction.execute(
            """
            INSERT INTO libraries (user_id, id, change, identity_rules, identity_stage)
            VALUES (\(userID), \(id), \(try transaction.nextChange()), \(TrackIdentity.version),
                \(RegroupStage.done.rawValue))
            """)
        return id
    }

    /// The key of an account at a source, which is made at its first use.
    ///
    /// - Parameter account: the service's id of it, which never changes.
    package func account(_ account: String, of source: MusicSource, library: Int64, now: Timestamp) throws -> Int64 {
        let known = try transaction.row(
            """
            SELECT id FROM library_accounts
            WHERE library_id = \(library) AND source = \(source.number) AND account = \(account)
            """)
        if let known { return try known["id"] }
        let id = try nextKey(now: now)
        try transaction.execute(
            """
            INSERT INTO library_accounts (library_id, source, account, id)
            VALUES (\(library), \(source.number), \(account), \(id))
            """)
        return id
    }

    /// A key above those of all rows.
    package func nextKey(now: Timestamp) throws -> Int64 {
        let key = max(try lastKey() + 1, LibraryID(first: now).key)
        try transaction.execute("UPDATE library_keys SET value = \(key)")
        return key
    }
}

extension Array {
    /// The elements in parts of 500, far below the limit on a statement's bound values.
    var inParts: [ArraySlice<Element>] {
        stride(from: 0, to: count, by: 500).map { self[$0..<Swift.min($0 + 500, count)] }
    }
}
