import Library
import LibraryWriting
import Model
import Storage

extension EditLockStore where Access == WriteTransaction {
    func lock(_ list: SourceList, _ ids: some Sequence<Int64>, as kind: EditLock, edit: Int64, library: Int64) throws {
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
    func endLocks(ofEdit edit: Int64, until moment: Timestamp?, library: Int64, now: Timestamp) throws {
        try transaction.run(
            """
            DELETE FROM library_edit_holds
            WHERE library_id = \(library) AND until IS NOT NULL
                AND (until <= \(now) OR until > \(now.advanced(by: EditLock.longest)))
            """)
        if let moment {
            try transaction.run("UPDATE library_edit_holds SET until = \(moment) WHERE edit_id = \(edit)")
        } else {
            try transaction.run("DELETE FROM library_edit_holds WHERE edit_id = \(edit)")
        }
    }
}
