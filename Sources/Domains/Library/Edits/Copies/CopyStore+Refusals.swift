import Library
import LibraryWriting
import Model
import Storage

extension CopyStore {
    /// What the service has refused of a copy and has not been dealt with yet.
    func refused(_ copy: LibraryCopy) throws -> WriteRefusal? {
        let failed = try transaction.map(
            """
            SELECT \(LibraryEdit.columns) FROM library_edits
            WHERE state = 'failed' AND id IN (
                SELECT edit_id FROM library_copy_entries
                WHERE user_id = \(copy.userID) AND copy_id = \(copy.id.key) AND state = 'sent')
            ORDER BY id
            """, LibraryEdit.init)
        let sent = failed.isEmpty ? [] : try entries(of: copy, in: [.sent], limit: .max)
        let open = failed.map { edit in (edit, Array(sent.filter { $0.editID == edit.id.key }.dropFirst(edit.done))) }
            .filter { !$0.1.isEmpty }
        // The edits that follow a failed one have failed along with it.
        guard let first = open.first(where: { $0.0.error?.code != "superseded" }) ?? open.first else { return nil }
        let reason = CopyRun.reason(copy.target)
        return WriteRefusal(
            edit: first.0, entries: first.1, later: open.filter { $0.0.id != first.0.id }.flatMap(\.1),
            formerCount: try entries(of: copy, in: [.missing], limit: .max).count { $0.tried.last == reason })
    }

    /// Why the song of an entry cannot be written; `nil` if there is no known reason.
    func refusal(of entry: CopyEntry, in copy: LibraryCopy) throws -> EditRefusal? {
        guard let reference = entry.reference.flatMap({ SongReference($0) }),
            let scan = try transaction.library.lastScan(of: copy.target, userID: copy.userID)
        else { return nil }
        return try transaction.edits.refusal(of: reference, at: copy.target, scan: scan)
    }
}

extension EditStore {
    /// Why a song cannot be written to a playlist; `nil` if there is no known reason.
    func refusal(of song: SongReference, at source: MusicSource, scan: SourceScan) throws -> EditRefusal? {
        do {
            _ = try resolve([song], at: source, isForPlaylist: true, scan: scan)
            return nil
        } catch let refusal as EditRefusal {
            return refusal
        }
    }
}

extension CopyStore where Access == WriteTransaction {
    /// Lists entries whose songs are refused as missing, and deletes the choices of these songs.
    func refuse(_ entries: [CopyEntry], _ reason: String, of copy: LibraryCopy) throws {
        let refused = entries.map { entry in
            var entry = entry
            entry.state = .missing
            entry.tried.append(reason)
            return entry
        }
        try updateEntries(refused, of: copy)
        guard let library = try transaction.library.libraryID(ofUser: copy.userID) else { return }
        let songs = try songs(of: entries, library: library)
        for entry in entries {
            guard let song = entry.sourceTrack.flatMap({ songs[$0] }) else { continue }
            try transaction.run(
                """
                DELETE FROM library_copy_choices
                WHERE user_id = \(copy.userID) AND source = \(song.source.number)
                    AND source_id = \(song.track.sourceID) AND target = \(copy.target.number)
                    AND reference = \(entry.reference)
                """)
        }
    }

    /// Handles the user's answer whether the new playlist exists at the service.
    ///
    /// - Returns: the copy: complete, since the service has confirmed each song, or failed if the playlist does not
    ///   exist.
    /// - Throws: ``CopyRefusal``.
    package func answer(_ id: LibraryID, isThere: Bool, userID: String, now: Timestamp) throws -> LibraryCopy {
        guard var copy = try copy(id, userID: userID) else { throw CopyRefusal.noCopy }
        guard copy.state == .unclear else { throw CopyRefusal.notUnclear }
        if isThere {
            let placed = try entries(of: copy, in: [.sent], limit: .max).map { entry in
                var entry = entry
                entry.state = .placed
                return entry
            }
            try updateEntries(placed, of: copy)
            (copy.state, copy.finishedAt) = (.complete, now)
        } else {
            (copy.state, copy.finishedAt, copy.error) = (.failed, now, EditError(.playlistGone(copy.target)))
        }
        try updateCopy(copy)
        return copy
    }
}
