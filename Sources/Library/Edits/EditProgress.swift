import Model
import Storage

/// How much of an edit is done: the state of its job. A step that was sent and has no answer, or was taken back, is no
/// progress.
package struct EditProgress: CheckpointState, Equatable {
    /// The steps that are done.
    package var steps: Int
    /// The songs that the service has confirmed, also those of steps that were interrupted.
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
