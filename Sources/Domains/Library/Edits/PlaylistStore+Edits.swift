import Library
import LibraryWriting
import Model
import Storage

/// The rows of a library that edits change before the service shows the change.
extension PlaylistStore {
    /// The state of a playlist that edits need.
    func playlistState(_ id: Int64, library: Int64) throws -> EditedPlaylist? {
        try transaction.row(
            """
            SELECT source_id, name, entry_count, entries_version, upstream_version, is_due FROM library_playlists
            WHERE library_id = \(library) AND id = \(id)
            """
        ).map { row in
            EditedPlaylist(
                sourceID: try row["source_id"], name: try row["name"], entryCount: try row["entry_count"],
                shownVersion: try row["entries_version"], upstreamVersion: try row["upstream_version"],
                isDue: try row["is_due"])
        }
    }

    /// The service's ids of a playlist's entries, in order; `nil` for entries that are not songs.
    func entryIDs(ofPlaylist playlist: Int64, version: Int64) throws -> [String?] {
        try transaction.map(
            """
            SELECT library_source_tracks.source_id AS source_id FROM library_playlist_entries
            LEFT JOIN library_source_tracks ON library_source_tracks.id = library_playlist_entries.source_track_id
            WHERE playlist_id = \(playlist) AND version = \(version) ORDER BY position
            """
        ) { try $0["source_id"] }
    }

    /// The service's playlists among the given ones that the library knows.
    func knownPlaylists(_ ids: [String], of edit: LibraryEdit) throws -> Set<String> {
        var known: Set<String> = []
        for part in ids.inParts {
            try transaction.forEachRow(
                """
                SELECT source_id FROM library_playlists
                WHERE library_id = \(edit.libraryID) AND source = \(edit.source.number)
                    AND source_id IN (\(list: part))
                """
            ) {
                known.insert(try $0["source_id"])
                return .continue
            }
        }
        return known
    }
}

extension PlaylistStore where Access == WriteTransaction {
    /// Shows different entries of a playlist.
    ///
    /// - Parameters:
    ///   - count: the number of entries.
    ///   - shownVersion: the version to show; `nil` if entries were added to the version that is already shown.
    func changeEntries(
        of playlist: Int64, count: Int, shownVersion: Int64? = nil, by scan: SourceScan, now: Timestamp
    ) throws {
        var writes = try transaction.library.beginWrites(by: scan, now: now)
        try transaction.run(
            """
            UPDATE library_playlists
            SET entry_count = \(max(0, count)), entries_version = COALESCE(\(shownVersion), entries_version),
                edits = edits + 1
            WHERE library_id = \(scan.libraryID) AND id = \(playlist)
            """)
        writes.isChanged = true
        try transaction.library.finishWrites(writes)
    }

    func renamePlaylist(
        _ playlist: Int64, _ name: String, _ description: String?, of scan: SourceScan, now: Timestamp
    ) throws {
        var writes = try transaction.library.beginWrites(by: scan, now: now)
        try transaction.run(
            """
            UPDATE library_playlists
            SET name = \(name), name_key = \(LibrarySortKey.sortKey(name)), description = \(description)
            WHERE library_id = \(scan.libraryID) AND id = \(playlist)
            """)
        writes.isChanged = true
        try transaction.library.finishWrites(writes)
    }

    /// Deletes the entries of a version from a position to the end.
    func dropEntries(of playlist: Int64, version: Int64, from position: Int) throws {
        try transaction.run(
            """
            DELETE FROM library_playlist_entries
            WHERE playlist_id = \(playlist) AND version = \(version) AND position >= \(position)
            """)
    }

    func deletePlaylist(_ id: Int64, of scan: SourceScan, now: Timestamp) throws {
        try transaction.run("DELETE FROM library_playlist_entries WHERE playlist_id = \(id)")
        try transaction.run(
            "DELETE FROM library_playlists WHERE library_id = \(scan.libraryID) AND id = \(id)")
        var writes = try transaction.library.beginWrites(by: scan, now: now)
        writes.counts.playlists -= 1
        try transaction.library.finishWrites(writes)
    }

    /// Makes the next sync read the entries of a playlist.
    func setDue(_ playlist: Int64, library: Int64) throws {
        try transaction.run(
            """
            UPDATE library_playlists SET upstream_version = NULL, due_version = NULL, is_due = 1
            WHERE library_id = \(library) AND id = \(playlist)
            """)
    }
}
