import Contracts
import Model
import Storage

extension EditStore where Access == WriteTransaction {
    /// How long after an edit readings of its source leave its rows alone: a page that was fetched before may be
    /// written later, and a service may show changes late.
    static func holdTime(of edit: LibraryEdit, settleTime: Duration) -> Duration? {
        switch edit.kind {
        case .save, .unsave: LibrarySync.keepingTime + settleTime
        case .createPlaylist, .addTracks, .removeEntries, .renamePlaylist, .putBackEntries:
            edit.source == .appleMusic || edit.kind == .createPlaylist ? settleTime : nil
        }
    }

    /// Ends an edit that the service has made.
    ///
    /// - Parameters:
    ///   - described: what the service says of songs that the library did not know.
    ///   - final: the list as the service shows it after the last write.
    func complete(
        _ id: LibraryID, userID: String, described: [SourceTrack], final: PlaylistMark?, settleTime: Duration,
        now: Timestamp
    ) throws {
        guard var edit = try edit(id, userID: userID), !edit.state.isFinished else { return }
        (edit.state, edit.finishedAt, edit.question, edit.error) = (.complete, now, nil, nil)
        edit.done = edit.total
        let reading = edit.reading
        let hasRows = try transaction.library.hasAccount(of: reading)
        if hasRows {
            var writes = try transaction.library.begin(reading, now: now)
            let isWhole = try show(described, of: edit, in: &writes)
            try note(edit, in: &writes)
            try transaction.library.finish(writes)
            if let playlist = edit.playlistKey, edit.kind != .renamePlaylist {
                // With songs that are not described, the next sync reads the entries.
                try keepVersion(of: playlist, after: edit, final: isWhole ? final : nil)
            }
        }
        try write(edit)
        let time = Self.holdTime(of: edit, settleTime: settleTime)
        try transaction.library.endHolds(
            ofEdit: id.key, until: time.map { now.advanced(by: $0) }, library: edit.libraryID, now: now)
    }

    /// Keeps the service's version of a list that nobody but the edit has changed. Any other is read by the next sync,
    /// and so is one that was to be read before.
    ///
    /// - Parameter final: as in ``complete(_:userID:described:final:settleTime:now:)``.
    private func keepVersion(of playlist: Int64, after edit: LibraryEdit, final: PlaylistMark?) throws {
        guard let present = try transaction.library.playlistState(playlist, library: edit.libraryID) else { return }
        let proven = try steps(of: edit).provenVersion(from: present.upstreamVersion)
        let isKept =
            try proven != nil && !present.isDue && final?.version == proven && final?.count == count(after: edit)
        let (version, count) = (isKept ? proven : nil, isKept ? final?.count : nil)
        try transaction.execute(
            """
            UPDATE library_playlists
            SET upstream_version = \(version), due_version = NULL, is_due = \(!isKept), listed_count = \(count),
                read_count = \(count)
            WHERE library_id = \(edit.libraryID) AND id = \(playlist)
            """)
    }

    /// How many entries a list has in the library after an edit; `nil` where they were never read. Later edits may have
    /// changed it already.
    private func count(after edit: LibraryEdit) throws -> Int? {
        guard let playlist = edit.playlistKey else { return nil }
        switch edit.kind {
        case .createPlaylist: return edit.total
        case .addTracks: return edit.undo.start.map { $0 + edit.total }
        case .removeEntries:
            return try edit.undo.formerVersion.map {
                try transaction.library.entryCount(of: playlist, version: $0) - edit.total
            }
        case .save, .unsave, .renamePlaylist, .putBackEntries: return nil
        }
    }

    /// Writes songs that the library did not know, where the edit has them.
    ///
    /// - Returns: whether all of them are described.
    private func show(_ tracks: [SourceTrack], of edit: LibraryEdit, in writes: inout LibraryWrites) throws -> Bool {
        guard !edit.undo.unknown.isEmpty else { return true }
        let isSaving = edit.kind == .save
        guard edit.kind != .unsave else { return true }
        var incoming: [IncomingTrack] = []
        for var track in tracks {
            track.addedAt = isSaving ? writes.now : nil
            incoming.append(IncomingTrack(track, of: edit.reading.source))
        }
        let (_, ids) = try transaction.library.write(incoming, areSaved: isSaving, by: edit.reading, in: &writes)
        if isSaving {
            try transaction.library.hold(
                .tracks, ids.values, as: .save, edit: edit.id.key, library: edit.libraryID)
        } else if let playlist = edit.playlistKey, let version = edit.undo.shownVersion, let start = edit.undo.start {
            for (place, id) in edit.undo.unknown {
                guard let key = ids[id] else { continue }
                try transaction.execute(
                    """
                    UPDATE library_playlist_entries SET kind = 'track', source_track_id = \(key)
                    WHERE playlist_id = \(playlist) AND version = \(version) AND position = \(start + place)
                        AND source_track_id IS NULL AND kind = 'unavailable'
                    """)
            }
        }
        return Set(edit.undo.unknown.values).isSubset(of: ids.keys)
    }

    /// Notes in the change log what the edit did.
    private func note(_ edit: LibraryEdit, in writes: inout LibraryWrites) throws {
        switch edit.kind {
        case .save, .unsave:
            let rows = try transaction.library.sourceTracks(ids: edit.undo.tracks.map(\.id), library: edit.libraryID)
            let former = Dictionary(edit.undo.tracks.map { ($0.id, $0) }) { first, _ in first }
            for row in rows {
                guard let before = former[row.id] else { continue }
                let wasThere = before.wasSaved && before.missingSince == nil
                guard wasThere != (edit.kind == .save) else { continue }
                let kind: LibraryChangeKind = edit.kind == .unsave ? .missing : before.wasSaved ? .returned : .added
                writes.note(kind, .tracks, row.id, of: edit.source, title: row.track.title)
            }
        case .createPlaylist, .putBackEntries: break
        case .addTracks, .removeEntries, .renamePlaylist:
            guard let playlist = edit.playlistKey else { return }
            writes.note(
                .changed, .playlists, playlist, of: edit.source, title: edit.title,
                replacing: edit.undo.formerVersion)
        }
    }

    /// Ends an edit that failed, or that the job of which it is a part does not go on with: the library takes the change
    /// back, as far as the service has not made it, and with it later changes of the same list that build upon it.
    ///
    /// - Returns: the edits that ended.
    @discardableResult
    package func fail(_ id: LibraryID, userID: String, _ error: EditError, now: Timestamp) throws -> [LibraryEdit] {
        guard let edit = try edit(id, userID: userID), !edit.state.isFinished else { return [] }
        var ended: [LibraryEdit] = []
        if edit.kind.isBase {
            let later = try unfinished(target: edit.target, library: edit.libraryID).filter { $0.id > id }
            // The latest first, so that each finds the rows as it left them.
            for other in later.reversed() {
                try end(
                    other,
                    EditError(
                        code: "superseded",
                        message: "An earlier change of this playlist failed, so that this one was not made."), now: now)
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

    /// The songs that an edit has removed, was to put back, and has not.
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
            // What the service has confirmed stays.
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

    private func deletePlaylist(_ id: Int64, of reading: SourceReading, now: Timestamp) throws {
        try transaction.execute("DELETE FROM library_playlist_entries WHERE playlist_id = \(id)")
        try transaction.execute(
            "DELETE FROM library_playlists WHERE library_id = \(reading.libraryID) AND id = \(id)")
        var writes = try transaction.library.begin(reading, now: now)
        writes.counts.playlists -= 1
        try transaction.library.finish(writes)
    }

    /// Shows the entries of a playlist without what an edit has not done, and has the next sync read them.
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
        // Of entries that were never read, the number alone was changed.
        let count =
            edit.undo.shownVersion == nil
            ? present.entryCount - (edit.total - edit.done)
            : try library.entryCount(of: playlist, version: version ?? present.shownVersion)
        try library.changeEntries(of: playlist, count: count, shownVersion: version, by: edit.reading, now: now)
        try setDue(playlist, library: edit.libraryID)
    }

    /// Has the next sync read the entries of a playlist.
    private func setDue(_ playlist: Int64, library: Int64) throws {
        try transaction.execute(
            """
            UPDATE library_playlists SET upstream_version = NULL, due_version = NULL, is_due = 1
            WHERE library_id = \(library) AND id = \(playlist)
            """)
    }

    /// Has another job go on with an edit whose job was cancelled while entries are missing that are to be put back.
    ///
    /// - Returns: whether the edit goes on.
    func goOnAmidRemoval(_ id: LibraryID, userID: String) throws -> Bool {
        guard var edit = try edit(id, userID: userID), !edit.state.isFinished, edit.state != .unclear,
            try steps(of: edit).isAmidRemoval, try transaction.library.hasAccount(of: edit.reading)
        else { return false }
        (edit.state, edit.jobID) = (.queued, nil)
        try write(edit)
        return true
    }

    /// Notes the service's id of a playlist that an edit has made.
    func created(_ playlist: EditUpstream.CreatedPlaylist, by edit: LibraryEdit, now: Timestamp) throws {
        guard let key = edit.playlistKey, try transaction.library.hasAccount(of: edit.reading) else { return }
        // A sync may have seen the playlist before its answer came.
        let twins: [Int64] = try transaction.map(
            """
            SELECT id FROM library_playlists
            WHERE library_id = \(edit.libraryID) AND source = \(edit.source.number)
                AND source_id = \(playlist.sourceID) AND id <> \(key)
            """
        ) { try $0["id"] }
        for twin in twins { try deletePlaylist(twin, of: edit.reading, now: now) }
        try transaction.execute(
            """
            UPDATE library_playlists
            SET source_id = \(playlist.sourceID), upstream_version = \(playlist.version),
                owner_id = COALESCE(\(playlist.ownerID), owner_id),
                owner_name = COALESCE(\(playlist.ownerName), owner_name)
            WHERE library_id = \(edit.libraryID) AND id = \(key)
            """)
        var writes = try transaction.library.begin(edit.reading, now: now)
        writes.note(.added, .playlists, key, of: edit.source, title: edit.title)
        try transaction.library.finish(writes)
    }
}

extension LibraryEdit {
    /// As which rows of the library are written.
    var reading: SourceReading {
        SourceReading(userID: userID, libraryID: libraryID, sync: 0, source: source, accountID: accountID)
    }
}

extension LibraryStore {
    /// Whether the account is still one whose library is read: otherwise its rows are to be removed.
    func hasAccount(of reading: SourceReading) throws -> Bool {
        try accounts(of: reading.source, library: reading.libraryID).contains(reading.accountID)
    }
}
