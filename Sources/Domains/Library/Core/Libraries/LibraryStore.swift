import Model
import Storage

/// Users' libraries, and the accounts and sources that they are read from. Read or written in a transaction:
/// `transaction.library`.
package struct LibraryStore<Access: SQLReader> {
    package let transaction: Access
}

extension SQLReader {
    package var library: LibraryStore<Self> { LibraryStore(transaction: self) }
}

extension ItemKind {
    package static let librarySync = ItemKind("librarySync")
    package static let libraryEdit = ItemKind("libraryEdit")
    package static let libraryCopy = ItemKind("libraryCopy")
    package static let libraryImport = ItemKind("libraryImport")
}

extension ChangeTopic {
    /// Syncs of libraries, and what they wrote.
    package static let library = ChangeTopic("library")
}

extension LibraryStore {
    /// The key of a user's library; `nil` before the first sync.
    package func libraryID(ofUser userID: String) throws -> Int64? {
        try transaction.row("SELECT id FROM libraries WHERE user_id = \(userID)")?["id"]
    }

    /// The country whose catalog a user uses at a source; `nil` if unknown.
    package func storefront(of source: MusicSource, userID: String) throws -> String? {
        let row = try transaction.row(
            """
            SELECT library_sources.storefront FROM libraries
            JOIN library_sources ON library_sources.library_id = libraries.id
            WHERE libraries.user_id = \(userID) AND library_sources.source = \(source.number)
            """)
        return try row?["storefront"]
    }
}
