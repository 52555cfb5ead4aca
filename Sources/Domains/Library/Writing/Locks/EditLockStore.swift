import Model
import Storage

/// Rows that edits have changed, read or written in a transaction: `transaction.editLocks`. A scan that started
/// before the edit, or a service that shows changes late, must not undo the change.
package struct EditLockStore<Access: SQLReader> {
    package let transaction: Access
}

extension SQLReader {
    package var editLocks: EditLockStore<Self> { EditLockStore(transaction: self) }
}

extension EditLockStore {
    /// The holds of a list's rows, by the row's key. Usually there are none.
    func locks(of list: SourceList, library: Int64, at now: Timestamp) throws -> [Int64: Set<EditLock>] {
        var found: [Int64: Set<EditLock>] = [:]
        try transaction.forEachRow(
            """
            SELECT item_id, kind FROM library_edit_holds
            WHERE library_id = \(library) AND item = \(list.item)
                AND (until IS NULL OR until > \(now) AND until <= \(now.advanced(by: EditLock.longest)))
            """
        ) { row in
            let hold: EditLock = try row.word("kind")
            found[try row["item_id"], default: []].insert(hold)
            return .continue
        }
        return found
    }

    /// Whether a scan of a whole list has not seen rows that are held, so that they were not marked as missing.
    package func hasUnseenLocks(_ list: SourceList, by scan: SourceScan, at now: Timestamp) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM library_edit_holds
            JOIN library_edits ON library_edits.id = library_edit_holds.edit_id
            WHERE library_edit_holds.library_id = \(scan.libraryID) AND item = \(list.item)
                AND library_edits.source = \(scan.source.number)
                AND library_edit_holds.kind IN ('save', 'create')
                AND (until IS NULL OR until > \(now) AND until <= \(now.advanced(by: EditLock.longest)))
                AND NOT EXISTS (
                    SELECT 1 FROM library_sightings
                    WHERE library_sightings.library_id = \(scan.libraryID)
                        AND library_sightings.source = \(scan.source.number)
                        AND library_sightings.item = library_edit_holds.item
                        AND library_sightings.item_id = library_edit_holds.item_id)
            LIMIT 1
            """) != nil
    }

    /// The names of playlists whose creation at a source has not been answered yet. The service may show them before
    /// the answer is known.
    func namesOfPlaylistsInCreation(source: MusicSource, library: Int64) throws -> Set<String> {
        Set(
            try transaction.map(
                """
                SELECT title FROM library_edits
                WHERE library_id = \(library) AND source = \(source.number) AND kind = 'createPlaylist'
                    AND finished_at IS NULL AND EXISTS (
                        SELECT 1 FROM library_edit_steps
                        WHERE edit_id = library_edits.id AND number = 0 AND state = 'sent')
                """
            ) { try $0["title"] })
    }
}
