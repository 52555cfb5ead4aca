import Library
import LibraryWriting
import Model
import Storage

extension PlaylistStore where Access == WriteTransaction {
    /// Creates a playlist from a file, or finds the existing one.
    func openImportedPlaylist(
        playlist: SourcePlaylist, by scan: SourceScan, now: Timestamp
    ) throws -> Int64? {
        _ = try storePlaylists([playlist], by: scan, isWhole: false, now: now)
        return try transaction.row(
            """
            SELECT id FROM library_playlists
            WHERE library_id = \(scan.libraryID) AND source = \(scan.source.number)
                AND source_id = \(playlist.sourceID)
            """)?["id"]
    }

    /// Writes entries of a playlist from a file, which stay invisible until they are shown.
    ///
    /// - Parameters:
    ///   - entries: the entries, with the keys of their songs in the file.
    ///   - position: the position of the first entry.
    /// - Returns: the number of characters in their titles.
    func stageImportedEntries(
        _ entries: [ImportEntry], of playlist: Int64, from position: Int, by scan: SourceScan
    ) throws -> Int {
        var characters = 0
        if position == 0 { try dropStagedEntries(of: playlist, library: scan.libraryID) }
        let version = try self.playlist(playlist, of: scan).entriesVersion + 1
        let keys = Array(Set(entries.compactMap(\.key)))
        var ids: [String: Int64] = [:]
        for part in keys.inParts {
            try transaction.forEachRow(
                """
                SELECT source_id, id FROM library_source_tracks
                WHERE library_id = \(scan.libraryID) AND source = \(scan.source.number)
                    AND source_id IN (\(list: part))
                """
            ) { row in
                ids[try row["source_id"]] = try row["id"] as Int64
                return .continue
            }
        }
        for (index, entry) in entries.enumerated() {
            let id = entry.key.flatMap { ids[$0] }
            // A song that the file does not describe cannot be played.
            let kind = id != nil ? "track" : entry.kind == "track" ? "unavailable" : entry.kind
            let title = id == nil ? entry.title : nil
            characters += title?.unicodeScalars.count ?? 0
            try transaction.run(
                """
                INSERT INTO library_playlist_entries (playlist_id, version, position, kind, source_track_id, title,
                    added_at)
                VALUES (\(playlist), \(version), \(position + index), \(kind), \(id), \(title), \(entry.addedAt))
                ON CONFLICT DO NOTHING
                """)
        }
        return characters
    }

    /// - Returns: whether all are removed; a long playlist takes several calls.
    func removeImported(playlists ids: [Int64], library: Int64, userID: String, now: Timestamp) throws -> Bool {
        var writes = try transaction.library.beginWrites(library: library, userID: userID, sync: 0, now: now)
        writes.isChanged = true
        var room = 500
        for id in ids {
            let removed = try transaction.execute(
                """
                DELETE FROM library_playlist_entries WHERE playlist_id = \(id) AND (version, position) IN (
                    SELECT version, position FROM library_playlist_entries WHERE playlist_id = \(id)
                    ORDER BY version, position LIMIT \(room))
                """)
            room -= removed
            guard room > 0 else {
                try transaction.library.finishWrites(writes)
                return false
            }
            writes.counts.playlists -= try transaction.execute(
                "DELETE FROM library_playlists WHERE library_id = \(library) AND id = \(id)")
        }
        try transaction.library.finishWrites(writes)
        return true
    }
}
