import Library
import LibraryWriting
import Model
import Storage

extension EditStore where Access == WriteTransaction {
    /// The maximum number of unfinished edits per user.
    private static var mostUnfinished: Int { 500 }

    /// Starts a change: stores what has to be written, and shows the change in the library immediately.
    ///
    /// The caller submits the edit's job in the same transaction if ``isFirst(_:)``, unless the edit is part of another
    /// job's work.
    ///
    /// - Parameters:
    ///   - ownIDs: the user's ids at Spotify.
    ///   - partOf: the job whose work the edit is part of.
    ///   - staged: the version of the entries that remain after a removal, if they were staged.
    /// - Throws: ``EditRefusal``, after which the caller rolls the transaction back; ``StorageError``.
    package func begin(
        _ change: EditChange, userID: String, ownIDs: [String] = [], partOf: String? = nil, staged: Int64? = nil,
        now: Timestamp
    ) throws -> LibraryEdit {
        var draft = EditDraft(userID: userID, partOf: partOf, now: now)
        draft.staged = staged
        switch change {
        case .save(let references, let source):
            try save(references, at: source, &draft)
        case .unsave(let references, let source):
            guard source == .spotify else { throw EditRefusal.notSupported(source, .unsave) }
            try save(references, at: source, isRemoving: true, &draft)
        case .createPlaylist(let name, let description, let isPublic, let references, let source):
            guard source == .spotify || !isPublic else { throw EditRefusal.notSupported(source, .makePublic) }
            try create(name, description, isPublic, references, at: source, ownIDs: ownIDs, &draft)
        case .addTracks(let references, let playlist):
            try add(references, to: playlist, ownIDs: ownIDs, &draft)
        case .removeEntries(let positions, let version, let playlist):
            try remove(Set(positions), version: version, from: playlist, ownIDs: ownIDs, &draft)
        case .putBackMissing(let id):
            try putBack(missingOf: id, ownIDs: ownIDs, &draft)
        case .rename(let name, let description, let playlist):
            try rename(playlist, name, description, ownIDs: ownIDs, &draft)
        }
        return try insertEdit(draft)
    }

    /// Whether there is no earlier unfinished edit of the same list.
    package func isFirst(_ edit: LibraryEdit) throws -> Bool { !(try waits(edit)) }

    // MARK: Songs

    private func save(
        _ references: [SongReference], at source: MusicSource, isRemoving: Bool = false, _ draft: inout EditDraft
    ) throws {
        let scan = try open(source, &draft)
        let resolved = try resolve(
            references, at: source, isForPlaylist: false, isRemoving: isRemoving, scan: scan)
        if source == .appleMusic, let missing = resolved.first(where: { !$0.track.id.isCatalogID }) {
            throw EditRefusal.trackNotInSource(source, title: missing.title)
        }
        (draft.kind, draft.target) = (isRemoving ? .unsave : .save, "saved:\(source.rawValue)")
        draft.title = resolved.first?.title ?? ""
        draft.total = resolved.count
        draft.actions = resolved.map(\.track).chunks(of: source.saveChunk).map { isRemoving ? .unsave($0) : .save($0) }
        draft.undo.unknown = resolved.unknown
        let rows = try transaction.tracks.sourceTracks(
            ids: resolved.compactMap(\.track.sourceTrack), library: scan.libraryID)
        var writes = try transaction.library.beginWrites(by: scan, now: draft.now)
        let changes = rows.map { before in
            (
                before,
                isRemoving ? before.removed(at: draft.now) : before.savedByEdit(account: scan.accountID, draft.now)
            )
        }
        draft.undo.tracks = rows.map {
            EditUndo.Track(
                id: $0.id, wasSaved: $0.isSaved, missingSince: $0.missingSince, addedAt: $0.track.addedAt)
        }
        try transaction.tracks.rewriteSourceTracks(changes, in: &writes)
        try transaction.library.finishWrites(writes)
        draft.locks = (.tracks, rows.map(\.id), isRemoving ? .unsave : .save)
    }

    // MARK: Parts

    /// The library and the account of a source, as known from its last sync.
    func open(_ source: MusicSource, _ draft: inout EditDraft) throws -> SourceScan {
        guard let scan = try transaction.library.lastScan(of: source, userID: draft.userID) else {
            throw EditRefusal.sourceNotRead(source)
        }
        draft.scan = scan
        guard try draft.partOf != nil || unfinishedCount(library: scan.libraryID) < Self.mostUnfinished else {
            throw EditRefusal.tooManyEdits
        }
        return scan
    }

    private func insertEdit(_ draft: EditDraft) throws -> LibraryEdit {
        guard let scan = draft.scan, let kind = draft.kind else { throw EditRefusal.noEdit }
        let key = try transaction.library.nextKey(now: draft.now)
        try transaction.run(
            """
            INSERT INTO library_edits (id, user_id, library_id, source, account_id, kind, target, state, playlist_id,
                title, undo, done, total, part_of, restores, created_at, change)
            VALUES (\(key), \(draft.userID), \(scan.libraryID), \(scan.source.number), \(scan.accountID),
                \(kind.rawValue), \(draft.target), \(LibraryEdit.State.queued.rawValue), \(draft.playlist),
                \(draft.title), \(try JSONColumn.encode(draft.undo)), 0, \(draft.total), \(draft.partOf),
                \(try transaction.restoreCount()), \(draft.now), \(try transaction.nextChange()))
            """)
        try insertSteps(draft.actions.enumerated().map { EditStep(number: $0, action: $1) }, of: key)
        if let (list, ids, hold) = draft.locks {
            try transaction.editLocks.lock(list, ids, as: hold, edit: key, library: scan.libraryID)
        }
        transaction.recordChange(of: [draft.userID], topic: .library)
        guard let edit = try edit(LibraryID(key: key), userID: draft.userID) else { throw EditRefusal.noEdit }
        return edit
    }
}

extension SourceTrackRow {
    /// The row after an edit saved the track.
    fileprivate func savedByEdit(account: Int64, _ now: Timestamp) -> SourceTrackRow {
        guard !isSaved || missingSince != nil else { return self }
        var row = self
        (row.isSaved, row.missingSince, row.accountID) = (true, nil, account)
        row.track.addedAt = now
        return row
    }

    /// The row after an edit removed the track from the saved ones.
    fileprivate func removed(at now: Timestamp) -> SourceTrackRow {
        guard isSaved, missingSince == nil else { return self }
        var row = self
        row.missingSince = now
        return row
    }
}

extension Array {
    /// Divides the array into parts of the given size.
    func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
