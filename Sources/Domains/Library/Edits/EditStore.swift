import Library
import Model
import Storage

/// Changes that users make at services, read or written in a transaction: `transaction.edits`.
package struct EditStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var edits: EditStore<Self> { EditStore(transaction: self) }
}

extension LibraryLists {
    /// A user's edits, newest first.
    package static let edits = Keyset<Int>("libraryEdits", by: "id", descending: true)
}

extension EditStore {
    package func edit(_ id: LibraryID, userID: String) throws -> LibraryEdit? {
        try transaction.row(
            "SELECT \(LibraryEdit.columns) FROM library_edits WHERE user_id = \(userID) AND id = \(id.key)"
        ).map { try LibraryEdit(row: $0) }
    }

    /// A page of a user's edits, newest first, without those that are part of another job's work.
    ///
    /// - Parameter hasMissing: whether to return only edits that have left songs missing.
    package func edits(
        userID: String, states: [LibraryEdit.State], hasMissing: Bool = false, cursor: Cursor<Int>?, limit: Int
    ) throws -> (items: [LibraryEdit], nextCursor: String?) {
        var following = cursor.map { LibraryLists.edits.following($0) } ?? ""
        if hasMissing { following = "\(following) AND missing IS NOT NULL" }
        let found = try transaction.map(
            """
            SELECT \(LibraryEdit.columns) FROM library_edits
            WHERE user_id = \(userID) AND part_of IS NULL AND state IN (\(list: states.map(\.rawValue)))\(following)
            ORDER BY \(LibraryLists.edits.order) LIMIT \(limit + 1)
            """, LibraryEdit.init)
        let items = Array(found.prefix(limit))
        let last = found.count > limit ? items.last : nil
        return (items, last.map { LibraryLists.edits.text(of: Int($0.id.key)) })
    }

    /// A user's edits that changed after `change`, in the order of their changes.
    package func changed(userID: String, after change: Int64, limit: Int) throws -> [LibraryEdit] {
        try transaction.map(
            """
            SELECT \(LibraryEdit.columns) FROM library_edits
            WHERE user_id = \(userID) AND change > \(change) ORDER BY change LIMIT \(limit)
            """, LibraryEdit.init)
    }

    /// The number of songs that a service has confirmed in a playlist that an edit created; `nil` for others.
    func confirmedEntries(ofPlaylist playlist: Int64, userID: String) throws -> Int? {
        let row = try transaction.row(
            """
            SELECT CAST(COALESCE(SUM(done), 0) AS BIGINT) AS done,
                COUNT(CASE WHEN kind = 'createPlaylist' THEN 1 END) AS made
            FROM library_edits
            WHERE user_id = \(userID) AND playlist_id = \(playlist) AND kind IN ('createPlaylist', 'addTracks')
            """)
        guard let row, try row["made"] as Int > 0 else { return nil }
        return try row["done"]
    }

    /// Whether there is an earlier unfinished edit of the same list.
    func waits(_ edit: LibraryEdit) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM library_edits
            WHERE library_id = \(edit.libraryID) AND target = \(edit.target) AND id < \(edit.id.key)
                AND finished_at IS NULL LIMIT 1
            """) != nil
    }

    /// The unfinished edits of a list, earliest first.
    func unfinished(target: String, library: Int64) throws -> [LibraryEdit] {
        try transaction.map(
            """
            SELECT \(LibraryEdit.columns) FROM library_edits
            WHERE library_id = \(library) AND target = \(target) AND finished_at IS NULL ORDER BY id
            """, LibraryEdit.init)
    }

    func unfinishedCount(library: Int64) throws -> Int {
        try transaction.row(
            "SELECT COUNT(*) AS edits FROM library_edits WHERE library_id = \(library) AND finished_at IS NULL"
        )?["edits"] ?? 0
    }

    /// The next edit of the same list, which an ended edit has delayed, if its job has to be submitted.
    package func next(after edit: LibraryEdit) throws -> [LibraryEdit] {
        guard edit.state.isFinished, let next = try unfinished(target: edit.target, library: edit.libraryID).first
        else { return [] }
        return next.state == .queued && next.jobID == nil && next.partOf == nil ? [next] : []
    }

    /// Edits without a job that are not delayed by an earlier edit of their list. Their jobs have to be submitted.
    package func edits(toSubmit limit: Int) throws -> [LibraryEdit] {
        // The sign makes SQLite sort the unfinished edits, which are in an index. Otherwise it would read the edits of
        // all years in the order of their ids.
        try transaction.map(
            """
            SELECT \(LibraryEdit.columns) FROM library_edits
            WHERE finished_at IS NULL AND state = 'queued' AND job_id IS NULL AND part_of IS NULL AND NOT EXISTS (
                SELECT 1 FROM library_edits AS earlier
                WHERE earlier.library_id = library_edits.library_id AND earlier.target = library_edits.target
                    AND earlier.id < library_edits.id AND earlier.finished_at IS NULL)
            ORDER BY +id LIMIT \(limit)
            """, LibraryEdit.init)
    }
}

extension EditStore where Access == WriteTransaction {
    /// Writes an edit's state, and notifies event streams.
    func updateEdit(_ edit: LibraryEdit) throws {
        try transaction.run(
            """
            UPDATE library_edits
            SET state = \(edit.state.rawValue), playlist_id = \(edit.playlistKey),
                undo = \(try JSONColumn.encode(edit.undo)), done = \(edit.done), error_code = \(edit.error?.code),
                error_message = \(edit.error?.message),
                missing = \(edit.missing.isEmpty ? nil : try JSONColumn.encode(edit.missing)),
                question = \(edit.question), job_id = \(edit.jobID), finished_at = \(edit.finishedAt),
                change = \(try transaction.nextChange())
            WHERE user_id = \(edit.userID) AND id = \(edit.id.key)
            """)
        transaction.recordChange(of: [edit.userID], topic: .library)
    }

    /// Records the progress of an edit.
    ///
    /// - Parameter restores: how many times the database had been restored when the steps were compared with the
    ///   service; `nil` if they have not been compared yet.
    func setRunning(_ edit: LibraryEdit, done: Int, restores: Int?) throws {
        guard var present = try self.edit(edit.id, userID: edit.userID), !present.state.isFinished else { return }
        (present.state, present.done) = (.running, done)
        try updateEdit(present)
        if let restores, restores != present.restores { try set(restores: restores, of: present) }
    }

    private func set(restores: Int, of edit: LibraryEdit) throws {
        try transaction.run(
            """
            UPDATE library_edits SET restores = \(restores)
            WHERE user_id = \(edit.userID) AND id = \(edit.id.key)
            """)
    }

    /// Handles a user's answer whether an unanswered write was made. The caller submits the edit's job.
    ///
    /// - Throws: ``EditRefusal``.
    package func answer(_ id: LibraryID, isDone: Bool, userID: String, now: Timestamp) throws -> LibraryEdit {
        guard var edit = try edit(id, userID: userID) else { throw EditRefusal.noEdit }
        guard edit.state == .unclear else { throw EditRefusal.notUnclear }
        var machine = EditMachine(steps: try steps(of: edit), consistencyDelay: .zero)
        guard machine.answer(isDone: isDone, at: now) else { throw EditRefusal.notUnclear }
        try updateSteps(machine.takeChanges(), of: edit)
        (edit.state, edit.question, edit.jobID, edit.done) = (.queued, nil, nil, machine.done)
        try updateEdit(edit)
        // If it was not made, it is made now without asking again.
        if !isDone { try set(restores: try transaction.restoreCount(), of: edit) }
        return edit
    }

    /// Records the job that makes an edit.
    package func set(job: String, of edit: LibraryEdit) throws {
        try transaction.run(
            "UPDATE library_edits SET job_id = \(job) WHERE user_id = \(edit.userID) AND id = \(edit.id.key)")
    }

    /// Deletes old finished edits with their steps.
    ///
    /// - Returns: the number of deleted edits.
    package func prune(finishedBefore cutoff: PruningTime, limit: Int) throws -> Int {
        let old: [(id: Int64, userID: String)] = try transaction.map(
            """
            SELECT id, user_id FROM library_edits
            WHERE finished_at IS NOT NULL AND finished_at < \(cutoff.moment) ORDER BY finished_at LIMIT \(limit)
            """
        ) { (try $0["id"], try $0["user_id"]) }
        guard !old.isEmpty else { return 0 }
        let ids = old.map(\.id)
        for table: StaticString in ["library_edit_steps", "library_edit_holds"] {
            try transaction.run("DELETE FROM \(trusted: table) WHERE edit_id IN (\(list: ids))")
        }
        try transaction.run("DELETE FROM library_edits WHERE id IN (\(list: ids))")
        for (id, userID) in old {
            try transaction.recordGone(.libraryEdit, ids: [LibraryID(key: id).text], userID: userID)
        }
        return old.count
    }
}
