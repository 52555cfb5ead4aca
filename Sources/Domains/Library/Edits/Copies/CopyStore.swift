import Library
import LibraryWriting
import Model
import Storage

/// Copies of playlists, read or written in a transaction: `transaction.copies`.
package struct CopyStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var copies: CopyStore<Self> { CopyStore(transaction: self) }
}

extension CopyStore {
    package func copy(_ id: LibraryID, userID: String) throws -> LibraryCopy? {
        try transaction.row(
            "SELECT \(LibraryCopy.columns) FROM library_copies WHERE user_id = \(userID) AND id = \(id.key)"
        ).map { try LibraryCopy(row: $0) }
    }

    /// A user's copies that changed after `change`, in the order of their changes.
    package func changed(userID: String, after change: Int64, limit: Int) throws -> [LibraryCopy] {
        try transaction.map(
            """
            SELECT \(LibraryCopy.columns) FROM library_copies
            WHERE user_id = \(userID) AND change > \(change) ORDER BY change LIMIT \(limit)
            """, LibraryCopy.init)
    }

    /// The latest copy of a playlist at a service that did not fail, unless its playlist is gone.
    func present(of playlist: LibraryID, to target: MusicSource, userID: String) throws -> LibraryCopy? {
        try transaction.row(
            """
            SELECT \(LibraryCopy.columns) FROM library_copies
            WHERE user_id = \(userID) AND playlist_id = \(playlist.key) AND target = \(target.number)
                AND state <> 'failed' AND NOT EXISTS (
                    SELECT 1 FROM library_playlists
                    WHERE library_playlists.id = library_copies.made_id
                        AND library_playlists.missing_since IS NOT NULL)
            ORDER BY id DESC LIMIT 1
            """
        ).map { try LibraryCopy(row: $0) }
    }

    /// The entries in the given states, in their order.
    package func entries(
        of copy: LibraryCopy, in states: [CopyEntry.State], limit: Int
    ) throws -> [CopyEntry] {
        try transaction.map(
            """
            SELECT \(CopyEntry.columns) FROM library_copy_entries
            WHERE user_id = \(copy.userID) AND copy_id = \(copy.id.key) AND state IN (\(list: states.map(\.rawValue)))
            ORDER BY position LIMIT \(limit)
            """, CopyEntry.init)
    }

    package func counts(of copy: LibraryCopy) throws -> CopyCounts {
        var counts = CopyCounts()
        try transaction.forEachRow(
            """
            SELECT state, COUNT(*) AS entries FROM library_copy_entries
            WHERE user_id = \(copy.userID) AND copy_id = \(copy.id.key) GROUP BY state
            """
        ) { row in
            let (state, number): (CopyEntry.State, Int) = (try row.word("state"), try row["entries"])
            if state != .pending { counts.matched += number }
            switch state {
            case .placed: counts.placed += number
            case .missing: counts.missing += number
            case .leftOut: counts.leftOut += number
            case .pending, .found, .sent: break
            }
            return .continue
        }
        let sent: Int =
            try transaction.row(
                """
                SELECT CAST(COALESCE(SUM(done), 0) AS BIGINT) AS done FROM library_edits
                WHERE user_id = \(copy.userID) AND id IN (
                    SELECT edit_id FROM library_copy_entries
                    WHERE user_id = \(copy.userID) AND copy_id = \(copy.id.key) AND state = 'sent')
                """)?["done"] ?? 0
        counts.placed += sent
        return counts
    }

    /// The unfinished edit of a copy that is waiting for the user's answer.
    package func question(of copy: LibraryCopy) throws -> LibraryEdit? {
        guard copy.state == .writing, let made = copy.made else { return nil }
        return try transaction.row(
            """
            SELECT \(LibraryEdit.columns) FROM library_edits
            WHERE user_id = \(copy.userID) AND playlist_id = \(made.key) AND state = 'unclear' ORDER BY id LIMIT 1
            """
        ).map { try LibraryEdit(row: $0) }
    }

    /// The number of entries that were collected from the playlist.
    func collected(_ copy: LibraryCopy) throws -> Int {
        try transaction.row(
            """
            SELECT COUNT(*) AS entries FROM library_copy_entries
            WHERE user_id = \(copy.userID) AND copy_id = \(copy.id.key)
            """)?["entries"] ?? 0
    }

    /// The source tracks of entries, by key.
    func songs(of entries: [CopyEntry], library: Int64) throws -> [Int64: SourceTrackRow] {
        var found: [Int64: SourceTrackRow] = [:]
        for part in entries.compactMap(\.sourceTrack).inParts {
            try transaction.forEachRow(
                """
                SELECT \(SourceTrackRow.columns) FROM library_source_tracks
                WHERE +library_id = \(library) AND id IN (\(list: part))
                """
            ) {
                let row = try SourceTrackRow($0)
                found[row.id] = row
                return .continue
            }
        }
        return found
    }

    /// Copies whose edits have ended and that have no job to continue them.
    package func copies(toSubmit limit: Int) throws -> [LibraryCopy] {
        try transaction.map(
            """
            SELECT \(LibraryCopy.columns) FROM library_copies
            WHERE state = 'writing' AND NOT EXISTS (
                SELECT 1 FROM library_edits
                WHERE library_edits.id = library_copies.last_edit AND library_edits.finished_at IS NULL)
            ORDER BY last_edit LIMIT \(limit)
            """, LibraryCopy.init)
    }
}

extension CopyStore where Access == WriteTransaction {
    /// The number of entries that one transaction collects from the playlist.
    static var collectedPart: Int { 500 }

    /// Starts a copy of a playlist, or returns the existing one. The caller submits the job of a new one.
    ///
    /// - Parameter again: whether to make another copy if there already is one.
    /// - Throws: ``CopyRefusal``, ``EditRefusal``.
    package func begin(
        _ id: LibraryID, to target: MusicSource, again: Bool, userID: String, now: Timestamp
    ) throws -> (copy: LibraryCopy, isNew: Bool) {
        guard let playlist = try transaction.playlists.playlist(id, userID: userID) else {
            throw EditRefusal.noPlaylist
        }
        guard playlist.source != target || playlist.isOfFile else { throw CopyRefusal.sameSource(target) }
        if let refusal = EditRefusal.unreadEntries(of: playlist) { throw refusal }
        guard try transaction.library.lastScan(of: target, userID: userID) != nil else {
            throw EditRefusal.sourceNotRead(target)
        }
        if !again, let copy = try present(of: id, to: target, userID: userID) { return (copy, false) }
        let key = try transaction.library.nextKey(now: now)
        let total = try transaction.playlists.entryCount(of: id.key, version: playlist.entriesVersion)
        let description = playlist.description.map { String($0.filter { !$0.isNewline }.prefix(300)) }
        try transaction.run(
            """
            INSERT INTO library_copies (user_id, id, playlist_id, entries_version, name, description, target, state,
                total, repeats, restores, created_at, change)
            VALUES (\(userID), \(key), \(id.key), \(playlist.entriesVersion), \(String(playlist.name.prefix(100))),
                \(description), \(target.number), 'queued', \(total), 0,
                \(try transaction.restoreCount()), \(now), \(try transaction.nextChange()))
            """)
        transaction.recordChange(of: [userID], topic: .library)
        guard let copy = try copy(LibraryID(key: key), userID: userID) else { throw CopyRefusal.noCopy }
        try collect(copy, from: 0)
        return (copy, true)
    }

    /// Collects the entries of a part of the playlist, as it was when the copy was requested.
    func collect(_ copy: LibraryCopy, from start: Int) throws {
        try transaction.run(
            """
            INSERT INTO library_copy_entries (
                user_id, copy_id, position, state, source_track_id, title, artist, tried, nearest)
            SELECT \(copy.userID), \(copy.id.key), position, 'pending', source_track_id,
                COALESCE(library_source_tracks.title, library_playlist_entries.title, ''),
                COALESCE(library_source_tracks.artist, ''), '[]', '[]'
            FROM library_playlist_entries
            LEFT JOIN library_source_tracks ON library_source_tracks.id = library_playlist_entries.source_track_id
            WHERE playlist_id = \(copy.playlist.key) AND version = \(copy.entriesVersion)
                AND position >= \(start) AND position < \(start + Self.collectedPart)
            """)
    }

    /// Writes entries that changed.
    func updateEntries(_ entries: [CopyEntry], of copy: LibraryCopy) throws {
        for entry in entries {
            try transaction.run(
                """
                UPDATE library_copy_entries
                SET state = \(entry.state.rawValue), reference = \(entry.reference), written_id = \(entry.writtenID),
                    other_id = \(entry.otherID), edit_id = \(entry.editID),
                    tried = \(try JSONColumn.encode(entry.tried)), nearest = \(try JSONColumn.encode(entry.nearest))
                WHERE user_id = \(copy.userID) AND copy_id = \(copy.id.key) AND position = \(entry.position)
                """)
        }
    }

    /// Writes a copy's state, and notifies event streams.
    func updateCopy(_ copy: LibraryCopy) throws {
        try transaction.run(
            """
            UPDATE library_copies
            SET state = \(copy.state.rawValue), made_id = \(copy.made?.key), last_edit = \(copy.lastEdit?.key),
                repeats = \(copy.repeats), job_id = \(copy.jobID), error_code = \(copy.error?.code),
                error_message = \(copy.error?.message), finished_at = \(copy.finishedAt),
                change = \(try transaction.nextChange())
            WHERE user_id = \(copy.userID) AND id = \(copy.id.key)
            """)
        transaction.recordChange(of: [copy.userID], topic: .library)
    }

    func fail(_ id: LibraryID, userID: String, _ error: EditError, now: Timestamp) throws {
        guard var copy = try copy(id, userID: userID), !copy.state.isFinished else { return }
        (copy.state, copy.error, copy.finishedAt, copy.jobID) = (.failed, error, now, nil)
        try updateCopy(copy)
    }

    /// Records the job that continues a copy.
    package func set(job: String, of copy: LibraryCopy) throws {
        guard var present = try self.copy(copy.id, userID: copy.userID) else { return }
        (present.jobID, present.state) = (job, present.state == .writing ? .running : present.state)
        try updateCopy(present)
    }
}
