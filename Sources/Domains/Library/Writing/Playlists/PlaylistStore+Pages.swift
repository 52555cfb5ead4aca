import Library
import Model
import Storage

extension PlaylistRow {
    fileprivate static let columns: SQL = """
        id, account_id, missing_since, source_id, name, description, owner_id, owner_name, is_public,
        is_collaborative, can_edit, artwork, entry_count, entries_version, entries_state, upstream_version, is_due,
        due_version, added_at, synced_at, edits, listed_count, read_count, read_at
        """

    fileprivate init(_ row: Row) throws {
        var playlist = SourcePlaylist(sourceID: try row["source_id"], name: try row["name"])
        playlist.description = try row["description"]
        playlist.ownerID = try row["owner_id"]
        playlist.ownerName = try row["owner_name"]
        playlist.isPublic = try row["is_public"]
        playlist.isCollaborative = try row["is_collaborative"]
        playlist.canEdit = try row["can_edit"]
        playlist.artworkURL = try row["artwork"]
        playlist.addedAt = try row["added_at"]
        let (state, syncedAt): (String, Timestamp) = (try row["entries_state"], try row["synced_at"])
        guard let entries = Entries(rawValue: state) else {
            throw StorageError.column(name: "entries_state", found: "another text", wanted: "none, read or forbidden")
        }
        self.init(
            id: try row["id"], accountID: try row["account_id"], missingSince: try row["missing_since"],
            playlist: playlist, entryCount: try row["entry_count"], entriesVersion: try row["entries_version"],
            entries: entries, refusedAt: entries == .forbidden ? syncedAt : nil,
            upstreamVersion: try row["upstream_version"], isDue: try row["is_due"], dueVersion: try row["due_version"],
            edits: try row["edits"], listedCount: try row["listed_count"], readCount: try row["read_count"],
            readAt: try row["read_at"])
    }
}

extension PlaylistStore {
    /// A playlist of the scan's source.
    ///
    /// - Throws: ``LibraryError/noPlaylist``.
    package func playlist(_ id: Int64, of scan: SourceScan) throws -> PlaylistRow {
        let row = try transaction.row(
            """
            SELECT \(PlaylistRow.columns) FROM library_playlists
            WHERE library_id = \(scan.libraryID) AND source = \(scan.source.number) AND id = \(id)
            """)
        guard let row else { throw LibraryError.noPlaylist }
        return try PlaylistRow(row)
    }
}

extension PlaylistStore where Access == WriteTransaction {
    /// Writes a page of playlists.
    ///
    /// - Returns: the effect, and the page's playlists whose entries have to be read because they changed, were never
    ///   read, have no version, or were refused and may now be accessible.
    package func storePlaylists(
        _ playlists: [SourcePlaylist], by scan: SourceScan, isWhole: Bool, now: Timestamp
    ) throws -> (effect: PageEffect, toRead: [PlaylistToRead]) {
        let accounts = try transaction.library.accounts(of: scan)
        var writes = try transaction.library.beginWrites(by: scan, now: now)
        var effect = PageEffect(found: playlists.count)
        let known = try playlistRows(playlists.map(\.sourceID), of: scan)
        let holds = try transaction.editLocks.locks(of: .playlists, library: scan.libraryID, at: now)
        let awaited = try transaction.editLocks.namesOfPlaylistsInCreation(
            source: scan.source, library: scan.libraryID)
        var rows: [PlaylistRow] = []
        var seen: Set<String> = []
        for playlist in playlists where seen.insert(playlist.sourceID).inserted {
            if let before = known[playlist.sourceID] {
                let isRenamed = holds[before.id]?.contains(.rename) == true
                let after = before.listed(
                    as: isRenamed ? playlist.named(as: before.playlist) : playlist, account: scan.accountID,
                    accounts: accounts, owners: scan.ownerIDs, askingAgainAfter: scan.source.wholeInterval,
                    now: now)
                rows.append(after)
                guard after != before else { continue }
                try updatePlaylist(after, of: scan, now: now)
                writes.isChanged = true
                let hasReturned = before.missingSince != nil
                if hasReturned || after.playlist != before.playlist { effect.changed += 1 }
                if hasReturned || after.playlist.differsNoticeably(from: before.playlist) {
                    writes.logChange(
                        hasReturned ? .returned : .changed, .playlists, after.id, of: scan.source,
                        title: playlist.name)
                }
            } else if !awaited.contains(playlist.name) {
                let row = PlaylistRow(id: writes.nextKey(), playlist, account: scan.accountID)
                rows.append(row)
                try insertPlaylist(row, of: scan, now: now)
                effect.added += 1
                writes.counts.playlists += 1
                writes.logChange(.added, .playlists, row.id, of: scan.source, title: playlist.name)
            }
        }
        if isWhole { try transaction.scans.markSeen(.playlists, rows.map(\.id), by: scan) }
        try transaction.library.finishWrites(writes)
        return (effect, rows.filter(\.isDue).map(\.toRead))
    }

    private func playlistRows(_ sourceIDs: [String], of scan: SourceScan) throws -> [String: PlaylistRow] {
        var found: [String: PlaylistRow] = [:]
        for part in sourceIDs.inParts {
            try transaction.forEachRow(
                """
                SELECT \(PlaylistRow.columns) FROM library_playlists
                WHERE library_id = \(scan.libraryID) AND source = \(scan.source.number)
                    AND source_id IN (\(list: part))
                """
            ) {
                let row = try PlaylistRow($0)
                found[row.playlist.sourceID] = row
                return .continue
            }
        }
        return found
    }

    package func insertPlaylist(_ row: PlaylistRow, of scan: SourceScan, now: Timestamp) throws {
        let playlist = row.playlist
        try transaction.run(
            """
            INSERT INTO library_playlists (id, user_id, library_id, source, account_id, source_id, name, name_key,
                description, owner_id, owner_name, is_public, is_collaborative, can_edit, artwork, entry_count,
                entries_version, entries_state, upstream_version, is_due, due_version, listed_count, read_count, read_at,
                added_at, missing_since, synced_at)
            VALUES (\(row.id), \(scan.userID), \(scan.libraryID), \(scan.source.number), \(row.accountID),
                \(playlist.sourceID), \(playlist.name), \(LibrarySortKey.sortKey(playlist.name)),
                \(playlist.description), \(playlist.ownerID), \(playlist.ownerName), \(playlist.isPublic),
                \(playlist.isCollaborative), \(playlist.canEdit), \(playlist.artworkURL), \(row.entryCount),
                \(row.entriesVersion), \(row.entries.rawValue), \(row.upstreamVersion), \(row.isDue), \(row.dueVersion),
                \(row.listedCount), \(row.readCount), \(row.readAt), \(playlist.addedAt), \(row.missingSince), \(now))
            """)
    }

    /// Replaces a playlist's values. If its entries are forbidden, `synced_at` is the time at which they were refused.
    func updatePlaylist(_ row: PlaylistRow, of scan: SourceScan, now: Timestamp) throws {
        let playlist = row.playlist
        try transaction.run(
            """
            UPDATE library_playlists
            SET account_id = \(row.accountID), name = \(playlist.name),
                name_key = \(LibrarySortKey.sortKey(playlist.name)), description = \(playlist.description),
                owner_id = \(playlist.ownerID), owner_name = \(playlist.ownerName), is_public = \(playlist.isPublic),
                is_collaborative = \(playlist.isCollaborative), can_edit = \(playlist.canEdit),
                artwork = \(playlist.artworkURL),
                entry_count = \(row.entryCount), entries_version = \(row.entriesVersion),
                entries_state = \(row.entries.rawValue), upstream_version = \(row.upstreamVersion),
                is_due = \(row.isDue), due_version = \(row.dueVersion), listed_count = \(row.listedCount),
                read_count = \(row.readCount), read_at = \(row.readAt), added_at = \(playlist.addedAt),
                missing_since = \(row.missingSince), synced_at = \(row.refusedAt ?? now)
            WHERE library_id = \(scan.libraryID) AND id = \(row.id)
            """)
    }
}
