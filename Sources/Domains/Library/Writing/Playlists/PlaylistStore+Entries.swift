import Library
import Model
import Storage

private let insertEntry = ConstantSQL(
    """
    INSERT INTO library_playlist_entries (playlist_id, version, position, kind, source_track_id, title, added_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (playlist_id, version, position) DO UPDATE SET kind = excluded.kind,
        source_track_id = excluded.source_track_id, title = excluded.title, added_at = excluded.added_at
    """)

extension PlaylistStore {
    /// The number of a playlist's entries in the database.
    package func entryCount(of playlist: Int64, version: Int64) throws -> Int {
        try transaction.row(
            """
            SELECT COUNT(*) AS entries FROM library_playlist_entries
            WHERE playlist_id = \(playlist) AND version = \(version)
            """)?["entries"] ?? 0
    }

    /// How many times the entries of a playlist were edited in Backline.
    func edits(ofPlaylist id: Int64, library: Int64) throws -> Int64 {
        try transaction.row("SELECT edits FROM library_playlists WHERE library_id = \(library) AND id = \(id)")?[
            "edits"]
            ?? 0
    }
}

extension PlaylistStore where Access == WriteTransaction {
    /// Writes a page of a playlist's entries, which stay invisible until ``showStagedEntries(of:total:by:now:)``.
    /// Writing the same page again changes nothing.
    ///
    /// - Returns: the effect. `added` and `changed` count the tracks among the entries that are new to the library, and
    ///   that changed.
    /// - Throws: ``LibraryError``, or ``StorageError``.
    package func stageEntries(
        _ entries: [SourcePlaylistEntry], of playlist: Int64, edits: Int64? = nil, by scan: SourceScan,
        now: Timestamp
    ) throws -> PageEffect {
        let row = try self.playlist(playlist, of: scan)
        if try hasChanged(playlist, since: edits, library: scan.libraryID) { return PageEffect() }
        let version = row.entriesVersion + 1
        var writes = try transaction.library.beginWrites(by: scan, now: now)
        let tracks = row.datedTracks(in: entries, now: now)
        let (written, ids) = try transaction.tracks.storeSourceTracks(
            tracks.map { IncomingTrack($0, of: scan.source) }, areSaved: false, by: scan, in: &writes)
        for entry in entries {
            let values: (kind: String, trackID: Int64?, title: String?) =
                switch entry.content {
                case .track(let track): ("track", ids[track.sourceID], nil)
                case .local(let title): ("local", nil, title)
                case .episode(let title): ("episode", nil, title)
                case .unavailable(let title): ("unavailable", nil, title)
                }
            try transaction.run(
                insertEntry,
                [
                    playlist.sqlValue, version.sqlValue, entry.position.sqlValue, values.kind.sqlValue,
                    values.trackID.sqlValue, values.title.sqlValue, entry.addedAt.sqlValue,
                ])
        }
        try transaction.library.finishWrites(writes)
        var effect = written
        effect.found = entries.count
        return effect
    }

    /// Deletes the entries of a playlist that are not shown yet, so that its scan can start over.
    package func dropStagedEntries(of playlist: Int64, library: Int64) throws {
        try transaction.run(
            """
            DELETE FROM library_playlist_entries
            WHERE playlist_id = \(playlist) AND version > (
                SELECT entries_version FROM library_playlists WHERE library_id = \(library) AND id = \(playlist))
            """)
    }

    /// Shows the entries that were read in place of the earlier ones, which are kept for the change log.
    ///
    /// - Parameter total: the number of entries that the service reports; `nil` if it does not. If there are fewer, or
    ///   none where there were some before, the answer may have been truncated, so the next sync reads the playlist
    ///   again until two answers are equal.
    /// - Returns: whether they differ from earlier entries.
    package func showStagedEntries(
        of playlist: PlaylistToRead, total: Int? = nil, by scan: SourceScan, now: Timestamp
    ) throws -> Bool {
        _ = try transaction.library.accounts(of: scan)
        if try hasChanged(playlist.id, since: playlist.edits, library: scan.libraryID) { return false }
        let before = try self.playlist(playlist.id, of: scan)
        let (shown, staged) = (before.entriesVersion, before.entriesVersion + 1)
        var writes = try transaction.library.beginWrites(by: scan, now: now)
        writes.isChanged = true
        var row = before
        row.entryCount = try entryCount(of: playlist.id, version: staged)
        row.upstreamVersion = scan.source.consistentVersion(playlist.upstreamVersion, at: now)
        (row.entries, row.refusedAt, row.isDue, row.dueVersion) = (.read, nil, false, nil)
        (row.readCount, row.readAt) = (row.listedCount, now)
        let differ = try differ(playlist.id, shown, staged, count: row.entryCount)
        if differ {
            if row.entryCount == 0 || row.entryCount < total ?? 0 { row.upstreamVersion = nil }
            row.entriesVersion = staged
        } else {
            try dropStagedEntries(of: playlist.id, library: scan.libraryID)
        }
        try updatePlaylist(row, of: scan, now: now)
        let isChange = differ && before.entries != .none
        if isChange {
            writes.logChange(
                .changed, .playlists, row.id, of: scan.source, title: row.playlist.name, replacing: shown)
        }
        try transaction.library.finishWrites(writes)
        return isChange
    }

    /// Records that the service refuses a playlist's entries. Entries that were read earlier are kept. They are
    /// requested again with the playlist's next version, after a week, and after the user has reconnected the service.
    package func setEntriesForbidden(
        of playlist: PlaylistToRead, by scan: SourceScan, now: Timestamp
    ) throws {
        _ = try transaction.library.accounts(of: scan)
        let before = try self.playlist(playlist.id, of: scan)
        try dropStagedEntries(of: playlist.id, library: scan.libraryID)
        var row = before
        row.upstreamVersion = playlist.upstreamVersion
        (row.entries, row.refusedAt, row.isDue, row.dueVersion) = (.forbidden, now, false, nil)
        guard row != before else { return }
        var writes = try transaction.library.beginWrites(by: scan, now: now)
        writes.isChanged = true
        try updatePlaylist(row, of: scan, now: now)
        try transaction.library.finishWrites(writes)
    }

    /// Whether an edit has changed a playlist's entries since their scan began. In that case, the entries belong to
    /// a former list, and their positions are used by the entries of the edit.
    private func hasChanged(_ playlist: Int64, since edits: Int64?, library: Int64) throws -> Bool {
        guard let edits else { return false }
        return try self.edits(ofPlaylist: playlist, library: library) != edits
    }

    /// Whether two versions of a playlist's entries differ.
    ///
    /// - Parameter count: the number of entries in the second version.
    private func differ(_ playlist: Int64, _ first: Int64, _ second: Int64, count: Int) throws -> Bool {
        guard try entryCount(of: playlist, version: first) == count else { return true }
        let difference = try transaction.row(
            """
            SELECT 1 AS found
            FROM library_playlist_entries AS one LEFT JOIN library_playlist_entries AS other
                ON other.playlist_id = one.playlist_id AND other.version = \(second) AND other.position = one.position
            WHERE one.playlist_id = \(playlist) AND one.version = \(first) AND (
                other.kind IS NULL OR other.kind <> one.kind
                OR COALESCE(other.source_track_id, 0) <> COALESCE(one.source_track_id, 0)
                OR COALESCE(other.title, '') <> COALESCE(one.title, '')
                OR COALESCE(other.added_at, 0) <> COALESCE(one.added_at, 0))
            LIMIT 1
            """)
        return difference != nil
    }

    /// Deletes entries of a version older than the one that is shown. The versions are compared as values: a range
    /// condition on the column would make SQLite read all earlier versions.
    func deleteReplacedEntries(
        of playlist: Int64, version: Int64, library: Int64, limit: Int
    ) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM library_playlist_entries
            WHERE playlist_id = \(playlist) AND version = \(version) AND position IN (
                SELECT position FROM library_playlist_entries
                WHERE playlist_id = \(playlist) AND version = \(version) AND \(version) < (
                    SELECT entries_version FROM library_playlists
                    WHERE library_id = \(library) AND id = \(playlist))
                ORDER BY position LIMIT \(limit))
            """)
    }
}

extension MusicSource {
    /// How long after a change a service that shows changes late may still return the former entries.
    private static let lateTime = Duration.seconds(600)

    /// The version of a playlist whose entries were read, if the entries are certain to be of this version. A service
    /// that shows changes late may report the date of a change but return the former entries; and its dates have no
    /// fractions of a second.
    ///
    /// - Returns: `nil` if the next sync has to read the entries again.
    fileprivate func consistentVersion(_ version: String?, at now: Timestamp) -> String? {
        guard showsLate, let version, let changedAt = Timestamp(rfc3339: version) else { return version }
        return changedAt.duration(to: now) >= Self.lateTime ? version : nil
    }
}
