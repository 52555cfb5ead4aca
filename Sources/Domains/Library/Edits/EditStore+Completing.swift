import Library
import LibraryWriting
import Model
import Storage

extension EditStore where Access == WriteTransaction {
    /// How long after an edit scans of its source leave the edit's rows alone: a page that was fetched before the
    /// edit may be written later, and a service may show changes late.
    static func lockTime(of edit: LibraryEdit, consistencyDelay: Duration) -> Duration? {
        switch edit.kind {
        case .save, .unsave: SourceScan.pageLifetime + consistencyDelay
        case .createPlaylist, .addTracks, .removeEntries, .renamePlaylist, .putBackEntries:
            edit.source == .appleMusic || edit.kind == .createPlaylist ? consistencyDelay : nil
        }
    }

    /// Completes an edit that the service has made.
    ///
    /// - Parameters:
    ///   - described: descriptions by the service of songs that the library did not know.
    ///   - final: the list as the service shows it after the last write.
    func complete(
        _ id: LibraryID, userID: String, described: [SourceTrack], final: PlaylistMark?, consistencyDelay: Duration,
        now: Timestamp
    ) throws {
        guard var edit = try edit(id, userID: userID), !edit.state.isFinished else { return }
        (edit.state, edit.finishedAt, edit.question, edit.error) = (.complete, now, nil, nil)
        edit.done = edit.total
        let scan = edit.scan
        let hasRows = try transaction.library.hasAccount(of: scan)
        if hasRows {
            var writes = try transaction.library.beginWrites(by: scan, now: now)
            let isWhole = try show(described, of: edit, in: &writes)
            try logChanges(edit, in: &writes)
            try transaction.library.finishWrites(writes)
            if let playlist = edit.playlistKey, edit.kind != .renamePlaylist {
                // If some songs have no description, the next sync reads the entries.
                try storeVersion(of: playlist, after: edit, final: isWhole ? final : nil)
            }
        }
        try updateEdit(edit)
        let time = Self.lockTime(of: edit, consistencyDelay: consistencyDelay)
        try transaction.editLocks.endLocks(
            ofEdit: id.key, until: time.map { now.advanced(by: $0) }, library: edit.libraryID, now: now)
    }

    /// Stores the service's version of a list that nobody but the edit has changed. Any other list will be read by the
    /// next sync, and so will one that was already due to be read.
    ///
    /// - Parameter final: as in ``complete(_:userID:described:final:consistencyDelay:now:)``.
    private func storeVersion(of playlist: Int64, after edit: LibraryEdit, final: PlaylistMark?) throws {
        guard let present = try transaction.playlists.playlistState(playlist, library: edit.libraryID) else { return }
        let proven = try steps(of: edit).provenVersion(from: present.upstreamVersion)
        let isStored =
            try proven != nil && !present.isDue && final?.version == proven && final?.count == count(after: edit)
        let (version, count) = (isStored ? proven : nil, isStored ? final?.count : nil)
        try transaction.run(
            """
            UPDATE library_playlists
            SET upstream_version = \(version), due_version = NULL, is_due = \(!isStored), listed_count = \(count),
                read_count = \(count)
            WHERE library_id = \(edit.libraryID) AND id = \(playlist)
            """)
    }

    /// The number of entries that a list has in the library after an edit; `nil` if they were never read. Later edits
    /// may already have changed it.
    private func count(after edit: LibraryEdit) throws -> Int? {
        guard let playlist = edit.playlistKey else { return nil }
        switch edit.kind {
        case .createPlaylist: return edit.total
        case .addTracks: return edit.undo.start.map { $0 + edit.total }
        case .removeEntries:
            return try edit.undo.formerVersion.map {
                try transaction.playlists.entryCount(of: playlist, version: $0) - edit.total
            }
        case .save, .unsave, .renamePlaylist, .putBackEntries: return nil
        }
    }

    /// Writes songs that the library did not know at the positions that the edit gave them.
    ///
    /// - Returns: whether all of them have a description.
    private func show(_ tracks: [SourceTrack], of edit: LibraryEdit, in writes: inout LibraryWrites) throws -> Bool {
        guard !edit.undo.unknown.isEmpty else { return true }
        let isSaving = edit.kind == .save
        guard edit.kind != .unsave else { return true }
        var incoming: [IncomingTrack] = []
        for var track in tracks {
            track.addedAt = isSaving ? writes.now : nil
            incoming.append(IncomingTrack(track, of: edit.scan.source))
        }
        let (_, ids) = try transaction.tracks.storeSourceTracks(
            incoming, areSaved: isSaving, by: edit.scan, in: &writes)
        if isSaving {
            try transaction.editLocks.lock(
                .tracks, ids.values, as: .save, edit: edit.id.key, library: edit.libraryID)
        } else if let playlist = edit.playlistKey, let version = edit.undo.shownVersion, let start = edit.undo.start {
            for (place, id) in edit.undo.unknown {
                guard let key = ids[id] else { continue }
                try transaction.run(
                    """
                    UPDATE library_playlist_entries SET kind = 'track', source_track_id = \(key)
                    WHERE playlist_id = \(playlist) AND version = \(version) AND position = \(start + place)
                        AND source_track_id IS NULL AND kind = 'unavailable'
                    """)
            }
        }
        return Set(edit.undo.unknown.values).isSubset(of: ids.keys)
    }

    /// Records in the change log what the edit did.
    private func logChanges(_ edit: LibraryEdit, in writes: inout LibraryWrites) throws {
        switch edit.kind {
        case .save, .unsave:
            let rows = try transaction.tracks.sourceTracks(ids: edit.undo.tracks.map(\.id), library: edit.libraryID)
            let former = Dictionary(edit.undo.tracks.map { ($0.id, $0) }) { first, _ in first }
            for row in rows {
                guard let before = former[row.id] else { continue }
                let wasThere = before.wasSaved && before.missingSince == nil
                guard wasThere != (edit.kind == .save) else { continue }
                let kind: LibraryChangeKind = edit.kind == .unsave ? .missing : before.wasSaved ? .returned : .added
                writes.logChange(kind, .tracks, row.id, of: edit.source, title: row.track.title)
            }
        case .createPlaylist, .putBackEntries: break
        case .addTracks, .removeEntries, .renamePlaylist:
            guard let playlist = edit.playlistKey else { return }
            writes.logChange(
                .changed, .playlists, playlist, of: edit.source, title: edit.title,
                replacing: edit.undo.formerVersion)
        }
    }

    /// Stores the service's id of a playlist that an edit has created.
    func created(_ playlist: EditUpstream.CreatedPlaylist, by edit: LibraryEdit, now: Timestamp) throws {
        guard let key = edit.playlistKey, try transaction.library.hasAccount(of: edit.scan) else { return }
        // A sync may have seen the playlist before the answer arrived.
        let twins: [Int64] = try transaction.map(
            """
            SELECT id FROM library_playlists
            WHERE library_id = \(edit.libraryID) AND source = \(edit.source.number)
                AND source_id = \(playlist.sourceID) AND id <> \(key)
            """
        ) { try $0["id"] }
        for twin in twins { try transaction.playlists.deletePlaylist(twin, of: edit.scan, now: now) }
        try transaction.run(
            """
            UPDATE library_playlists
            SET source_id = \(playlist.sourceID), upstream_version = \(playlist.version),
                owner_id = COALESCE(\(playlist.ownerID), owner_id),
                owner_name = COALESCE(\(playlist.ownerName), owner_name)
            WHERE library_id = \(edit.libraryID) AND id = \(key)
            """)
        var writes = try transaction.library.beginWrites(by: edit.scan, now: now)
        writes.logChange(.added, .playlists, key, of: edit.source, title: edit.title)
        try transaction.library.finishWrites(writes)
    }
}
