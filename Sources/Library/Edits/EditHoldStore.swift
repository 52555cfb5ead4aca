import Model
import Storage

/// Rows that edits have changed, read or written in a transaction: `transaction.editHolds`. A reading that started
/// before the edit, or a service that shows changes late, must not undo the change.
package struct EditHoldStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var editHolds: EditHoldStore<Self> { EditHoldStore(transaction: self) }
}

extension EditHoldStore {
    /// The holds of a list's rows, by the row's key. Usually there are none.
    func holds(of list: SourceList, library: Int64, at now: Timestamp) throws -> [Int64: Set<EditHold>] {
        var found: [Int64: Set<EditHold>] = [:]
        try transaction.forEachRow(
            """
            SELECT item_id, kind FROM library_edit_holds
            WHERE library_id = \(library) AND item = \(list.item)
                AND (until IS NULL OR until > \(now) AND until <= \(now.advanced(by: EditHold.longest)))
            """
        ) { row in
            let hold: EditHold = try row.word("kind")
            found[try row["item_id"], default: []].insert(hold)
            return .goOn
        }
        return found
    }

    /// Whether a reading of a whole list has not seen rows that are held, so that they were not marked as missing.
    func hasUnseenHolds(_ list: SourceList, by reading: SourceReading, at now: Timestamp) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM library_edit_holds
            JOIN library_edits ON library_edits.id = library_edit_holds.edit_id
            WHERE library_edit_holds.library_id = \(reading.libraryID) AND item = \(list.item)
                AND library_edits.source = \(reading.source.number)
                AND library_edit_holds.kind IN ('save', 'create')
                AND (until IS NULL OR until > \(now) AND until <= \(now.advanced(by: EditHold.longest)))
                AND NOT EXISTS (
                    SELECT 1 FROM library_sightings
                    WHERE library_sightings.library_id = \(reading.libraryID)
                        AND library_sightings.source = \(reading.source.number)
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

extension EditHoldStore where Access == WriteTransaction {
    func hold(_ list: SourceList, _ ids: some Sequence<Int64>, as kind: EditHold, edit: Int64, library: Int64) throws {
        for id in ids {
            try transaction.run(
                """
                INSERT INTO library_edit_holds (edit_id, item, item_id, library_id, kind)
                VALUES (\(edit), \(list.item), \(id), \(library), \(kind.rawValue))
                ON CONFLICT (edit_id, item, item_id) DO NOTHING
                """)
        }
    }

    /// Ends the holds of an edit, and deletes those of earlier edits that have expired.
    ///
    /// - Parameter moment: when the holds end; `nil` ends them immediately.
    func endHolds(ofEdit edit: Int64, until moment: Timestamp?, library: Int64, now: Timestamp) throws {
        try transaction.run(
            """
            DELETE FROM library_edit_holds
            WHERE library_id = \(library) AND until IS NOT NULL
                AND (until <= \(now) OR until > \(now.advanced(by: EditHold.longest)))
            """)
        if let moment {
            try transaction.run("UPDATE library_edit_holds SET until = \(moment) WHERE edit_id = \(edit)")
        } else {
            try transaction.run("DELETE FROM library_edit_holds WHERE edit_id = \(edit)")
        }
    }
}
