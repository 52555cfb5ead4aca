import Library
import Model
import Storage

extension LibraryStore {
    /// The highest key of all rows.
    func lastKey() throws -> Int64 {
        try transaction.row("SELECT value FROM library_keys")?["value"] ?? 0
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

    /// Returns a key that is higher than those of all rows.
    package func nextKey(now: Timestamp) throws -> Int64 {
        let key = max(try lastKey() + 1, LibraryID(first: now).key)
        try transaction.run("UPDATE library_keys SET value = \(key)")
        return key
    }
}
