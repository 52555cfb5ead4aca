import Storage

/// The rows of users' libraries, read or written in a transaction: `transaction.library`.
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
