import Library
import LibraryWriting
import Model
import Storage

private let insertShown = ConstantSQL(
    """
    INSERT INTO library_playlist_entries (playlist_id, version, position, kind, source_track_id, added_at)
    VALUES (?, ?, ?, ?, ?, ?)
    """)

extension EditStore where Access == WriteTransaction {
    func create(
        _ name: String, _ description: String?, _ isPublic: Bool, _ references: [SongReference],
        at source: MusicSource, ownIDs: [String], _ draft: inout EditDraft
    ) throws {
        let scan = try open(source, &draft)
        let resolved = try resolve(references, at: source, isForPlaylist: true, scan: scan)
        var writes = try transaction.library.beginWrites(by: scan, now: draft.now)
        let key = writes.nextKey()
        var playlist = SourcePlaylist(sourceID: Self.provisionalID(key), name: name)
        playlist.description = description
        playlist.ownerID = source == .spotify ? ownIDs.first : nil
        playlist.isPublic = isPublic
        playlist.canEdit = true
        playlist.addedAt = draft.now
        playlist.entryCount = resolved.count
        var row = PlaylistRow(id: key, playlist, account: scan.accountID)
        (row.entries, row.isDue, row.readAt) = (.read, false, draft.now)
        try transaction.playlists.insertPlaylist(row, of: scan, now: draft.now)
        writes.counts.playlists += 1
        writes.isChanged = true
        try transaction.library.finishWrites(writes)
        draft.setPlaylist(key, name, .createPlaylist)
        draft.actions =
            [.create(name: name, description: description, isPublic: isPublic)]
            + resolved.map(\.track).chunks(of: source.playlistChunk).map { .append($0) }
        draft.total = resolved.count
        draft.undo.unknown = resolved.unknown
        (draft.undo.shownVersion, draft.undo.start) = (0, 0)
        try show(resolved.map(\.track), from: 0, version: 0, of: key, now: draft.now)
        draft.locks = (.playlists, [key], .create)
    }

    /// A placeholder for a playlist's id at the service until that is known. No service has ids of this form.
    static func provisionalID(_ key: Int64) -> String { "new:\(key)" }

    func add(
        _ references: [SongReference], to id: LibraryID, ownIDs: [String], _ draft: inout EditDraft
    ) throws {
        let playlist = try playlist(id, ownIDs: ownIDs, &draft) { $0.canAdd }
        let scan = try open(playlist.source, &draft)
        let resolved = try resolve(
            references, at: playlist.source, isForPlaylist: true, scan: scan)
        draft.setPlaylist(id.key, playlist.name, .addTracks)
        draft.actions = resolved.map(\.track).chunks(of: playlist.source.playlistChunk).map { .append($0) }
        draft.total = resolved.count
        draft.undo.unknown = resolved.unknown
        if playlist.entriesState == "read" {
            let start = try transaction.playlists.entryCount(of: id.key, version: playlist.entriesVersion)
            (draft.undo.shownVersion, draft.undo.start) = (playlist.entriesVersion, start)
            // Pages that a sync has already staged are of the list without the songs.
            try transaction.playlists.dropStagedEntries(of: id.key, library: scan.libraryID)
            try show(resolved.map(\.track), from: start, version: playlist.entriesVersion, of: id.key, now: draft.now)
        }
        try change(id.key, entryCount: playlist.entryCount + resolved.count, of: scan, now: draft.now)
        draft.locks = (.playlists, [id.key], .entries)
    }

    /// Shows songs in a playlist. Songs that the library does not know are described later.
    private func show(_ tracks: [EditTrack], from start: Int, version: Int64, of playlist: Int64, now: Timestamp) throws
    {
        for (index, track) in tracks.enumerated() {
            try transaction.run(
                insertShown,
                [
                    playlist.sqlValue, version.sqlValue, (start + index).sqlValue,
                    (track.sourceTrack == nil ? "unavailable" : "track").sqlValue, track.sourceTrack.sqlValue,
                    now.sqlValue,
                ])
        }
    }

    func remove(
        _ positions: Set<Int>, version: String, from id: LibraryID, ownIDs: [String], _ draft: inout EditDraft
    ) throws {
        let playlist = try playlist(id, ownIDs: ownIDs, &draft) { permissions in permissions.canRemove }
        let scan = try open(playlist.source, &draft)
        guard playlist.version == version else { throw EditRefusal.playlistChanged }
        let entries = try entries(at: positions, of: playlist, library: scan.libraryID)
        let (version, left) = (playlist.entriesVersion, playlist.entryCount - positions.count)
        let staged = try draft.staged.flatMap { staged in
            try transaction.playlists.entryCount(of: id.key, version: staged) == left ? staged : nil
        }
        let shown = staged ?? version + 1
        draft.setPlaylist(id.key, playlist.name, .removeEntries)
        draft.actions = RemovalPlan(removing: positions, of: entries, chunk: playlist.source.playlistChunk).actions
        draft.total = positions.count
        (draft.undo.formerVersion, draft.undo.shownVersion) = (version, shown)
        // Deletes what a sync or another request has staged.
        try transaction.run(
            """
            DELETE FROM library_playlist_entries
            WHERE playlist_id = \(id.key) AND version > \(version) AND version <> \(staged ?? version)
            """)
        if staged == nil { try copy(id.key, version, to: shown, without: positions, from: 0, to: .max) }
        try change(id.key, entryCount: left, shownVersion: shown, of: scan, now: draft.now)
        draft.locks = (.playlists, [id.key], .entries)
    }

    /// Stages a part of the entries that remain after a removal, under a separate version. For a long list, this would
    /// take longer than other writers may have to wait, so each part has its own transaction; the edit's own
    /// transaction then shows them.
    ///
    /// - Parameters:
    ///   - staged: the version; `nil` for the first part.
    ///   - start: the position of the first entry.
    /// - Returns: the version, and the start of the next part, if there is one; `nil` if there is nothing to stage
    ///   because the list is short or its version has changed.
    package func stage(
        _ positions: [Int], version: String, of id: LibraryID, as staged: Int64?, from start: Int, userID: String,
        now: Timestamp
    ) throws -> (version: Int64, next: Int?)? {
        guard let playlist = try transaction.playlists.playlist(id, userID: userID), playlist.version == version,
            playlist.entryCount > Self.stagedPart
        else { return nil }
        // It is higher than all versions, so that entries that are left after a crash are dropped like those that a
        // sync has staged.
        let shown = try staged ?? transaction.library.nextKey(now: now)
        let end = start + Self.stagedPart
        try copy(id.key, playlist.entriesVersion, to: shown, without: Set(positions), from: start, to: end)
        return (shown, end < playlist.entryCount ? end : nil)
    }

    private static var stagedPart: Int { 500 }

    /// Copies the entries of a version except those at the given positions.
    private func copy(
        _ playlist: Int64, _ version: Int64, to shown: Int64, without positions: Set<Int>, from start: Int, to end: Int
    ) throws {
        let before = start - positions.count { $0 < start }
        let removed = positions.filter { (start..<end).contains($0) }.sorted()
        try transaction.run(
            """
            INSERT INTO library_playlist_entries (
                playlist_id, version, position, kind, source_track_id, title, added_at)
            SELECT playlist_id, \(shown), \(before) + ROW_NUMBER() OVER (ORDER BY position) - 1, kind, source_track_id,
                title, added_at
            FROM library_playlist_entries
            WHERE playlist_id = \(playlist) AND version = \(version) AND position >= \(start) AND position < \(end)
                AND position NOT IN (\(list: removed.isEmpty ? [-1] : removed))
            """)
    }

    /// All entries of the songs at some positions.
    private func entries(
        at positions: Set<Int>, of playlist: LibraryPlaylist, library: Int64
    ) throws -> [RemovalPlan.Entry] {
        let (id, version) = (playlist.id.key, playlist.entriesVersion)
        let named = try transaction.rows(
            """
            SELECT position, kind, source_track_id FROM library_playlist_entries
            WHERE playlist_id = \(id) AND version = \(version) AND position IN (\(list: positions.sorted()))
            ORDER BY position
            """)
        guard named.count == positions.count else { throw EditRefusal.playlistChanged }
        var keys: Set<Int64> = []
        for row in named {
            guard let key: Int64 = try row["source_track_id"] else {
                throw EditRefusal.entryNotRemovable(position: try row["position"], kind: try row["kind"])
            }
            keys.insert(key)
        }
        return try transaction.map(
            """
            SELECT position, source_track_id, source_id FROM library_playlist_entries
            JOIN library_source_tracks ON library_source_tracks.id = library_playlist_entries.source_track_id
            WHERE playlist_id = \(id) AND version = \(version) AND source_track_id IN (\(list: keys.sorted()))
                AND +library_source_tracks.library_id = \(library)
            ORDER BY position
            """
        ) { row in
            RemovalPlan.Entry(
                position: try row["position"],
                track: EditTrack(id: try row["source_id"], sourceTrack: try row["source_track_id"]))
        }
    }

    /// Puts back songs that an edit has left missing. The edit no longer lists them as missing afterwards.
    func putBack(missingOf id: LibraryID, ownIDs: [String], _ draft: inout EditDraft) throws {
        guard var edit = try edit(id, userID: draft.userID), let key = edit.playlistKey else {
            throw EditRefusal.noEdit
        }
        guard !edit.missing.isEmpty else { throw EditRefusal.nothingMissing }
        let playlist = try playlist(LibraryID(key: key), ownIDs: ownIDs, &draft) { $0.canAdd }
        _ = try open(playlist.source, &draft)
        draft.setPlaylist(key, playlist.name, .putBackEntries)
        draft.actions = edit.missing.map { .insert([$0.track], position: $0.position, upTo: $0.upTo) }
        draft.total = edit.missing.count
        draft.locks = (.playlists, [key], .entries)
        edit.missing = []
        try updateEdit(edit)
    }

    /// Gives up the songs that an edit has left missing.
    ///
    /// - Throws: ``EditRefusal``.
    package func abandon(missingOf id: LibraryID, userID: String) throws -> LibraryEdit {
        guard var edit = try edit(id, userID: userID) else { throw EditRefusal.noEdit }
        guard !edit.missing.isEmpty else { throw EditRefusal.nothingMissing }
        edit.missing = []
        try updateEdit(edit)
        return edit
    }

    func rename(
        _ id: LibraryID, _ name: String?, _ description: String?, ownIDs: [String], _ draft: inout EditDraft
    ) throws {
        let playlist = try playlist(id, ownIDs: ownIDs, &draft, operation: .rename) { $0.canRename }
        let scan = try open(playlist.source, &draft)
        let (name, description) = (name ?? playlist.name, description ?? playlist.description)
        draft.setPlaylist(id.key, name, .renamePlaylist)
        draft.actions = [.rename(name: name, description: description)]
        (draft.undo.name, draft.undo.description) = (playlist.name, playlist.description)
        try transaction.playlists.renamePlaylist(id.key, name, description, of: scan, now: draft.now)
        draft.locks = (.playlists, [id.key], .rename)
    }

    // MARK: Parts

    /// The playlist, if the user may change it in this way.
    private func playlist(
        _ id: LibraryID, ownIDs: [String], _ draft: inout EditDraft, operation: EditRefusal.Operation = .removeEntries,
        _ isAllowed: (PlaylistPermissions) -> Bool
    ) throws -> LibraryPlaylist {
        guard let playlist = try transaction.playlists.playlist(id, userID: draft.userID) else {
            throw EditRefusal.noPlaylist
        }
        let permissions = PlaylistPermissions(of: playlist, ownIDs: ownIDs)
        if isAllowed(permissions) { return playlist }
        if playlist.isOfFile { throw EditRefusal.playlistOfFile }
        if playlist.missingSince != nil { throw EditRefusal.playlistGone(playlist.source) }
        if playlist.source == .appleMusic, permissions.canAdd {
            throw EditRefusal.notSupported(playlist.source, operation)
        }
        let isOwn = permissions.canAdd && permissions.canRename
        throw (isOwn ? EditRefusal.unreadEntries(of: playlist) : nil) ?? .notYourPlaylist(playlist.source)
    }

    private func change(
        _ playlist: Int64, entryCount: Int, shownVersion: Int64? = nil, of scan: SourceScan, now: Timestamp
    ) throws {
        try transaction.playlists.changeEntries(
            of: playlist, count: entryCount, shownVersion: shownVersion, by: scan, now: now)
    }
}
