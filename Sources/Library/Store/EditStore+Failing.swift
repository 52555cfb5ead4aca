import Model
import Storage

extension EditStore where Access == WriteTransaction {
    /// Ends an edit that failed, or that its parent job does not continue. The library undoes the change as far as the
    /// service has not made it, together with later changes of the same list that build on it.
    ///
    /// - Returns: the edits that ended.
    @discardableResult
    package func fail(_ id: LibraryID, userID: String, _ error: EditError, now: Timestamp) throws -> [LibraryEdit] {
        guard let edit = try edit(id, userID: userID), !edit.state.isFinished else { return [] }
        var ended: [LibraryEdit] = []
        if edit.kind.isBase {
            let later = try unfinished(target: edit.target, library: edit.libraryID).filter { $0.id > id }
            // They are undone latest first, so that each one finds the rows as it left them.
            for other in later.reversed() {
                try end(
                    other,
                    EditError(
                        code: "superseded",
                        message: "An earlier change to this playlist failed, so this one was not made."), now: now)
                ended.append(other)
            }
        }
        try end(edit, error, now: now)
        return ended + [edit]
    }

    private func end(_ edit: LibraryEdit, _ error: EditError, now: Timestamp) throws {
        var edit = edit
        let machine = EditMachine(steps: try steps(of: edit), settleTime: .zero)
        edit.done = machine.done
        edit.missing = try missingSongs(of: edit, machine.steps)
        if try transaction.library.hasAccount(of: edit.reading) { try takeBack(edit, machine.steps, now: now) }
        var error = error
        if !edit.missing.isEmpty { error.message += " " + EditError.sentence(about: edit.missing, of: edit) }
        (edit.state, edit.error, edit.finishedAt, edit.question) = (.failed, error, now, nil)
        if edit.kind == .createPlaylist, machine.steps.first?.state != .done { edit.playlistKey = nil }
        try write(edit)
        try transaction.library.endHolds(ofEdit: edit.id.key, until: nil, library: edit.libraryID, now: now)
    }

    /// The songs that an edit has removed and failed to put back.
    private func missingSongs(of edit: LibraryEdit, _ steps: [EditStep]) throws -> [MissingSong] {
        guard edit.playlistKey != nil else { return [] }
        let entries = steps.missing
        let rows = try transaction.library.sourceTracks(
            ids: Array(Set(entries.compactMap(\.track.sourceTrack))), library: edit.libraryID)
        let songs = Dictionary(rows.map { ($0.id, $0.track) }) { first, _ in first }
        return entries.map { entry in
            let song = entry.track.sourceTrack.flatMap { songs[$0] }
            return MissingSong(
                track: entry.track, title: song?.title ?? entry.track.id, artist: song?.artist ?? "",
                position: entry.position, upTo: entry.upTo)
        }
    }

    private func takeBack(_ edit: LibraryEdit, _ steps: [EditStep], now: Timestamp) throws {
        let library = transaction.library
        switch edit.kind {
        case .save, .unsave:
            // What the service has confirmed is kept.
            let made = Set(
                steps.filter { $0.state == .done }.flatMap(\.action.tracks).compactMap(\.sourceTrack))
            let former = Dictionary(edit.undo.tracks.map { ($0.id, $0) }) { first, _ in first }
            let rows = try library.sourceTracks(
                ids: edit.undo.tracks.map(\.id).filter { !made.contains($0) }, library: edit.libraryID)
            var writes = try library.begin(edit.reading, now: now)
            try library.rewrite(
                rows.map { row in
                    var before = row
                    if let values = former[row.id] {
                        (before.isSaved, before.missingSince) = (values.wasSaved, values.missingSince)
                        before.track.addedAt = values.addedAt
                    }
                    return (row, before)
                }, in: &writes)
            try library.finish(writes)
        case .renamePlaylist:
            guard let playlist = edit.playlistKey, let name = edit.undo.name,
                try library.playlistState(playlist, library: edit.libraryID)?.name == edit.title
            else { return }
            try library.rename(playlist, name, edit.undo.description, of: edit.reading, now: now)
        case .createPlaylist where steps.first?.state != .done:
            guard let playlist = edit.playlistKey else { return }
            try deletePlaylist(playlist, of: edit.reading, now: now)
        case .createPlaylist, .addTracks, .removeEntries:
            try takeEntriesBack(edit, now: now)
        case .putBackEntries:
            guard let playlist = edit.playlistKey else { return }
            try setDue(playlist, library: edit.libraryID)
        }
    }

    func deletePlaylist(_ id: Int64, of reading: SourceReading, now: Timestamp) throws {
        try transaction.run("DELETE FROM library_playlist_entries WHERE playlist_id = \(id)")
        try transaction.run(
            "DELETE FROM library_playlists WHERE library_id = \(reading.libraryID) AND id = \(id)")
        var writes = try transaction.library.begin(reading, now: now)
        writes.counts.playlists -= 1
        try transaction.library.finish(writes)
    }

    /// Shows a playlist's entries without what an edit has not done, and makes the next sync read them.
    private func takeEntriesBack(_ edit: LibraryEdit, now: Timestamp) throws {
        let library = transaction.library
        guard let playlist = edit.playlistKey,
            let present = try library.playlistState(playlist, library: edit.libraryID)
        else { return }
        var version: Int64?
        // A sync may have shown the service's own entries meanwhile.
        if let shown = edit.undo.shownVersion, shown == present.shownVersion {
            if let former = edit.undo.formerVersion {
                try library.dropEntries(of: playlist, version: shown, from: 0)
                version = former
            } else if let start = edit.undo.start {
                try library.dropEntries(of: playlist, version: shown, from: start + edit.done)
            }
        }
        // If the entries were never read, only their number was changed.
        let count =
            edit.undo.shownVersion == nil
            ? present.entryCount - (edit.total - edit.done)
            : try library.entryCount(of: playlist, version: version ?? present.shownVersion)
        try library.changeEntries(of: playlist, count: count, shownVersion: version, by: edit.reading, now: now)
        try setDue(playlist, library: edit.libraryID)
    }

    /// Makes the next sync read the entries of a playlist.
    private func setDue(_ playlist: Int64, library: Int64) throws {
        try transaction.run(
            """
            UPDATE library_playlists SET upstream_version = NULL, due_version = NULL, is_due = 1
            WHERE library_id = \(library) AND id = \(playlist)
            """)
    }

    /// Requeues an edit whose job was cancelled while entries are missing that have to be put back, so that another job
    /// continues it.
    ///
    /// - Returns: whether the edit continues.
    func goOnAmidRemoval(_ id: LibraryID, userID: String) throws -> Bool {
        guard var edit = try edit(id, userID: userID), !edit.state.isFinished, edit.state != .unclear,
            try steps(of: edit).isAmidRemoval, try transaction.library.hasAccount(of: edit.reading)
        else { return false }
        (edit.state, edit.jobID) = (.queued, nil)
        try write(edit)
        return true
    }
}

extension LibraryEdit {
    /// The identity under which rows of the library are written.
    var reading: SourceReading {
        SourceReading(userID: userID, libraryID: libraryID, sync: 0, source: source, accountID: accountID)
    }
}

extension LibraryStore {
    /// Whether the account is still one whose library is read. Otherwise its rows are about to be deleted.
    func hasAccount(of reading: SourceReading) throws -> Bool {
        try accounts(of: reading.source, library: reading.libraryID).contains(reading.accountID)
    }
}
