import Library
import LibraryWriting
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
        let machine = EditMachine(steps: try steps(of: edit), consistencyDelay: .zero)
        edit.done = machine.done
        edit.missing = try missingSongs(of: edit, machine.steps)
        if try transaction.library.hasAccount(of: edit.scan) { try revert(edit, machine.steps, now: now) }
        var error = error
        if !edit.missing.isEmpty { error.message += " " + EditError.sentence(about: edit.missing, of: edit) }
        (edit.state, edit.error, edit.finishedAt, edit.question) = (.failed, error, now, nil)
        if edit.kind == .createPlaylist, machine.steps.first?.state != .done { edit.playlistKey = nil }
        try updateEdit(edit)
        try transaction.editLocks.endLocks(ofEdit: edit.id.key, until: nil, library: edit.libraryID, now: now)
    }

    /// The songs that an edit has removed and failed to put back.
    private func missingSongs(of edit: LibraryEdit, _ steps: [EditStep]) throws -> [MissingSong] {
        guard edit.playlistKey != nil else { return [] }
        let entries = steps.missing
        let rows = try transaction.tracks.sourceTracks(
            ids: Array(Set(entries.compactMap(\.track.sourceTrack))), library: edit.libraryID)
        let songs = Dictionary(rows.map { ($0.id, $0.track) }) { first, _ in first }
        return entries.map { entry in
            let song = entry.track.sourceTrack.flatMap { songs[$0] }
            return MissingSong(
                track: entry.track, title: song?.title ?? entry.track.id, artist: song?.artist ?? "",
                position: entry.position, upTo: entry.upTo)
        }
    }

    private func revert(_ edit: LibraryEdit, _ steps: [EditStep], now: Timestamp) throws {
        switch edit.kind {
        case .save, .unsave:
            // What the service has confirmed is kept.
            let made = Set(
                steps.filter { $0.state == .done }.flatMap(\.action.tracks).compactMap(\.sourceTrack))
            let former = Dictionary(edit.undo.tracks.map { ($0.id, $0) }) { first, _ in first }
            let rows = try transaction.tracks.sourceTracks(
                ids: edit.undo.tracks.map(\.id).filter { !made.contains($0) }, library: edit.libraryID)
            var writes = try transaction.library.beginWrites(by: edit.scan, now: now)
            try transaction.tracks.rewriteSourceTracks(
                rows.map { row in
                    var before = row
                    if let values = former[row.id] {
                        (before.isSaved, before.missingSince) = (values.wasSaved, values.missingSince)
                        before.track.addedAt = values.addedAt
                    }
                    return (row, before)
                }, in: &writes)
            try transaction.library.finishWrites(writes)
        case .renamePlaylist:
            guard let playlist = edit.playlistKey, let name = edit.undo.name,
                try transaction.playlists.playlistState(playlist, library: edit.libraryID)?.name == edit.title
            else { return }
            try transaction.playlists.renamePlaylist(playlist, name, edit.undo.description, of: edit.scan, now: now)
        case .createPlaylist where steps.first?.state != .done:
            guard let playlist = edit.playlistKey else { return }
            try transaction.playlists.deletePlaylist(playlist, of: edit.scan, now: now)
        case .createPlaylist, .addTracks, .removeEntries:
            try revertEntries(edit, now: now)
        case .putBackEntries:
            guard let playlist = edit.playlistKey else { return }
            try transaction.playlists.setDue(playlist, library: edit.libraryID)
        }
    }

    /// Shows a playlist's entries without what an edit has not done, and makes the next sync read them.
    private func revertEntries(_ edit: LibraryEdit, now: Timestamp) throws {
        guard let playlist = edit.playlistKey,
            let present = try transaction.playlists.playlistState(playlist, library: edit.libraryID)
        else { return }
        var version: Int64?
        // A sync may have shown the service's own entries meanwhile.
        if let shown = edit.undo.shownVersion, shown == present.shownVersion {
            if let former = edit.undo.formerVersion {
                try transaction.playlists.dropEntries(of: playlist, version: shown, from: 0)
                version = former
            } else if let start = edit.undo.start {
                try transaction.playlists.dropEntries(of: playlist, version: shown, from: start + edit.done)
            }
        }
        // If the entries were never read, only their number was changed.
        let count =
            edit.undo.shownVersion == nil
            ? present.entryCount - (edit.total - edit.done)
            : try transaction.playlists.entryCount(of: playlist, version: version ?? present.shownVersion)
        try transaction.playlists.changeEntries(
            of: playlist, count: count, shownVersion: version, by: edit.scan, now: now)
        try transaction.playlists.setDue(playlist, library: edit.libraryID)
    }

    /// Requeues an edit whose job was cancelled while entries are missing that have to be put back, so that another job
    /// continues it.
    ///
    /// - Returns: whether the edit continues.
    func requeueAmidRemoval(_ id: LibraryID, userID: String) throws -> Bool {
        guard var edit = try edit(id, userID: userID), !edit.state.isFinished, edit.state != .unclear,
            try steps(of: edit).isAmidRemoval, try transaction.library.hasAccount(of: edit.scan)
        else { return false }
        (edit.state, edit.jobID) = (.queued, nil)
        try updateEdit(edit)
        return true
    }
}

extension LibraryEdit {
    /// The identity under which rows of the library are written.
    var scan: SourceScan {
        SourceScan(userID: userID, libraryID: libraryID, sync: 0, source: source, accountID: accountID)
    }
}
