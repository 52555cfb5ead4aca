import Model
import Storage

/// The rows of a library that edits change before the service shows the change.
extension LibraryStore {
    /// The account of a source whose library was read last, in the form of a reading that writes rows in the same way;
    /// `nil` before the first sync, and after the source was disconnected.
    func lastReading(of source: MusicSource, userID: String) throws -> SourceReading? {
        let row = try transaction.row(
            """
            SELECT libraries.id AS id, library_sources.account_id AS account_id FROM libraries
            JOIN library_sources ON library_sources.library_id = libraries.id
            JOIN library_accounts ON library_accounts.library_id = libraries.id
                AND library_accounts.source = library_sources.source
                AND library_accounts.id = library_sources.account_id
            WHERE libraries.user_id = \(userID) AND library_sources.source = \(source.number)
            """)
        guard let row, let account: Int64 = try row["account_id"] else { return nil }
        return SourceReading(userID: userID, libraryID: try row["id"], sync: 0, source: source, accountID: account)
    }

    /// The number of a playlist's entries in the database.
    func entryCount(of playlist: Int64, version: Int64) throws -> Int {
        try transaction.row(
            """
            SELECT COUNT(*) AS entries FROM library_playlist_entries
            WHERE playlist_id = \(playlist) AND version = \(version)
            """)?["entries"] ?? 0
    }

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
}

/// The state of a playlist that edits need.
struct EditedPlaylist: Sendable, Hashable {
    var sourceID: String
    var name: String
    var entryCount: Int
    var shownVersion: Int64
    /// The service's version of the entries that are in the library.
    var upstreamVersion: String?
    /// Whether the next sync reads the entries.
    var isDue: Bool
}

extension LibraryStore where Access == WriteTransaction {
    /// Writes new values of source tracks whose names do not change, and the tracks that they belong to.
    func rewrite(
        _ changes: [(before: SourceTrackRow, after: SourceTrackRow)], in writes: inout LibraryWrites
    ) throws {
        let changed = changes.filter { $0.before != $0.after }
        guard !changed.isEmpty else { return }
        var group = try tracks(changed.map(\.after.trackID), library: writes.libraryID)
        for (before, after) in changed {
            try update(before, to: after, library: writes.libraryID, now: writes.now)
            group.replace(after)
        }
        try write(Set(changed.map(\.after.trackID)), of: group, in: &writes)
        writes.isChanged = true
    }

    /// Shows different entries of a playlist.
    ///
    /// - Parameters:
    ///   - count: the number of entries.
    ///   - shownVersion: the version to show; `nil` if entries were added to the version that is already shown.
    func changeEntries(
        of playlist: Int64, count: Int, shownVersion: Int64? = nil, by reading: SourceReading, now: Timestamp
    ) throws {
        var writes = try begin(reading, now: now)
        try transaction.run(
            """
            UPDATE library_playlists
            SET entry_count = \(max(0, count)), entries_version = COALESCE(\(shownVersion), entries_version),
                edits = edits + 1
            WHERE library_id = \(reading.libraryID) AND id = \(playlist)
            """)
        writes.isChanged = true
        try finish(writes)
    }

    func rename(
        _ playlist: Int64, _ name: String, _ description: String?, of reading: SourceReading, now: Timestamp
    ) throws {
        var writes = try begin(reading, now: now)
        try transaction.run(
            """
            UPDATE library_playlists
            SET name = \(name), name_key = \(LibrarySortKey.sortKey(name)), description = \(description)
            WHERE library_id = \(reading.libraryID) AND id = \(playlist)
            """)
        writes.isChanged = true
        try finish(writes)
    }

    /// Deletes the entries of a version from a position to the end.
    func dropEntries(of playlist: Int64, version: Int64, from position: Int) throws {
        try transaction.run(
            """
            DELETE FROM library_playlist_entries
            WHERE playlist_id = \(playlist) AND version = \(version) AND position >= \(position)
            """)
    }
}
