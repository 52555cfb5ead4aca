import Library
import Model
import Storage

/// An entry for a library's change log.
struct LibraryChange: Sendable {
    let id: Int64
    let kind: LibraryChangeKind
    let item: String
    let itemID: Int64
    let source: MusicSource
    let title: String
    let entriesVersion: Int64?
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
