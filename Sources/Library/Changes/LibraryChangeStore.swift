import Storage

/// The change log of libraries, read or written in a transaction: `transaction.libraryChanges`.
package struct LibraryChangeStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var libraryChanges: LibraryChangeStore<Self> { LibraryChangeStore(transaction: self) }
}

private let insertChange = ConstantSQL(
    """
    INSERT INTO library_changes (library_id, id, at, sync, kind, item, item_id, source, title, entries_version)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)

extension LibraryChangeStore where Access == WriteTransaction {
    /// Appends entries to the change log.
    func appendChanges(_ changes: [LibraryChange], by writes: LibraryWrites) throws {
        for change in changes {
            try transaction.run(
                insertChange,
                [
                    writes.libraryID.sqlValue, change.id.sqlValue, writes.now.sqlValue, writes.sync.sqlValue,
                    change.kind.rawValue.sqlValue, change.item.sqlValue, change.itemID.sqlValue,
                    change.source.number.sqlValue, change.title.sqlValue, change.entriesVersion.sqlValue,
                ])
        }
    }
}
