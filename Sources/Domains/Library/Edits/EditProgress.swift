import JobStorage
import Model
import Storage

/// The progress of an edit, stored as the state of its job. A step that was sent but has no answer, or was reset, does
/// not count as progress.
package struct EditProgress: CheckpointState, Equatable {
    /// The number of steps that are done.
    package var steps: Int
    /// The number of songs that the service has confirmed, including those of interrupted steps.
    package var songs: Int

    package var workDone: Int { steps + songs }
}

extension EditStore {
    package func progress(of id: LibraryID) throws -> EditProgress {
        let row = try transaction.row(
            """
            SELECT COALESCE(MAX(library_edits.done), 0) AS songs, COUNT(library_edit_steps.number) AS steps
            FROM library_edits
            LEFT JOIN library_edit_steps ON library_edit_steps.edit_id = library_edits.id
                AND library_edit_steps.state = 'done'
            WHERE library_edits.id = \(id.key)
            """)
        return EditProgress(steps: try row?["steps"] ?? 0, songs: try row?["songs"] ?? 0)
    }
}
