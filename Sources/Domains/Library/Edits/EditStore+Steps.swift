import Model
import Storage

extension EditStore {
    package func steps(of edit: LibraryEdit) throws -> [EditStep] {
        try transaction.map(
            """
            SELECT number, action, state, before, after, sent_at, lost_at, answered_at FROM library_edit_steps
            WHERE edit_id = \(edit.id.key) ORDER BY number
            """
        ) { row in
            var step = EditStep(
                number: try row["number"], action: try JSONColumn.decode(try row["action"], column: "action"))
            step.state = try row.word("state")
            let (before, after): (String?, String?) = (try row["before"], try row["after"])
            step.before = try before.map { try JSONColumn.decode($0, column: "before") }
            step.after = try after.map { try JSONColumn.decode($0, column: "after") }
            step.sentAt = try row["sent_at"]
            step.lostAt = try row["lost_at"]
            step.answeredAt = try row["answered_at"]
            return step
        }
    }

    /// The state of a playlist's entries that the last answer reported; `nil` if there was no answer since a moment. A
    /// time in the future is ignored: the clock was ahead when it was stored.
    ///
    /// A service may show its lists late, so its answers take precedence over what it shows.
    func recentMark(
        ofPlaylist playlist: Int64, since moment: Timestamp, now: Timestamp, userID: String
    ) throws -> RecentMark? {
        let row = try transaction.row(
            """
            SELECT library_edit_steps.after AS after, library_edit_steps.answered_at AS answered_at FROM library_edits
            JOIN library_edit_steps ON library_edit_steps.edit_id = library_edits.id
            WHERE library_edits.playlist_id = \(playlist) AND library_edits.user_id = \(userID)
                AND library_edit_steps.answered_at > \(moment) AND library_edit_steps.answered_at <= \(now)
                AND library_edit_steps.state = 'done'
            ORDER BY library_edit_steps.answered_at DESC, library_edits.id DESC, library_edit_steps.number DESC LIMIT 1
            """)
        guard let row, let text: String = try row["after"] else { return nil }
        return RecentMark(at: try row["answered_at"], mark: try JSONColumn.decode(text, column: "after"))
    }
}

extension EditStore where Access == WriteTransaction {
    /// Stores the steps that changed.
    func updateSteps(_ changes: EditMachine.Changes, of edit: LibraryEdit) throws {
        if let replacement = changes.replacement, let first = replacement.first {
            try transaction.run(
                "DELETE FROM library_edit_steps WHERE edit_id = \(edit.id.key) AND number >= \(first.number)")
            try insertSteps(replacement, of: edit.id.key)
        }
        for step in changes.steps + (changes.replacement ?? []) {
            try transaction.run(
                """
                UPDATE library_edit_steps
                SET action = \(try JSONColumn.encode(step.action)), state = \(step.state.rawValue),
                    before = \(try step.before.map { try JSONColumn.encode($0) }),
                    after = \(try step.after.map { try JSONColumn.encode($0) }), sent_at = \(step.sentAt),
                    lost_at = \(step.lostAt), answered_at = \(step.answeredAt)
                WHERE edit_id = \(edit.id.key) AND number = \(step.number)
                """)
        }
    }

    func insertSteps(_ steps: [EditStep], of id: Int64) throws {
        for step in steps {
            try transaction.run(
                """
                INSERT INTO library_edit_steps (edit_id, number, action, state)
                VALUES (\(id), \(step.number), \(try JSONColumn.encode(step.action)), \(step.state.rawValue))
                """)
        }
    }
}
