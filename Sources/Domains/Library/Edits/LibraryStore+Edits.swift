import Library
import LibraryWriting
import Model
import Storage

/// The account whose library an edit changes.
extension LibraryStore {
    /// The account of a source whose library was read last, in the form of a scan that writes rows in the same way;
    /// `nil` before the first sync, and after the source was disconnected.
    func lastScan(of source: MusicSource, userID: String) throws -> SourceScan? {
        let row = try transaction.row(
            """
            SELECT libraries.id AS id, library_sources.account_id AS account_id FROM libraries
            JOIN library_sources ON library_sources.library_id = libraries.id
            JOIN library_accounts ON library_accounts.library_id = libraries.id
                AND library_accounts.source = library_sources.source
                AND library_accounts.id = library_sources.account_id
            WHERE libraries.user_id = \(userID) AND library_sources.source = \(source.number)
            """)
        guard let row, let account: Int64 = try row["account_id"] else { return nil }
        return SourceScan(userID: userID, libraryID: try row["id"], sync: 0, source: source, accountID: account)
    }

    /// Whether a service that reports one of these accounts shows the library that an edit changes.
    ///
    /// - Parameter names: the names of the account; for Apple Music, the marker of the credential.
    func isAccount(_ names: [String], of edit: LibraryEdit) throws -> Bool {
        if edit.source.namesAccount {
            return try transaction.row(
                """
                SELECT 1 AS found FROM library_accounts
                WHERE library_id = \(edit.libraryID) AND source = \(edit.source.number)
                    AND account IN (\(list: names)) AND id = \(edit.accountID)
                """) != nil
        }
        return try transaction.row(
            """
            SELECT 1 AS found FROM library_sources
            WHERE library_id = \(edit.libraryID) AND source = \(edit.source.number)
                AND credential IN (\(list: names)) AND account_id = \(edit.accountID) AND question IS NULL
            """) != nil
    }
}
