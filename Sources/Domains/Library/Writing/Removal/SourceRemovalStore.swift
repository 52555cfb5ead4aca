import Library
import Model
import Storage

/// The deletion of what was read from a source that was removed. Read or written in a transaction:
/// `transaction.sourceRemovals`.
package struct SourceRemovalStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var sourceRemovals: SourceRemovalStore<Self> { SourceRemovalStore(transaction: self) }
}

/// How much of a library is deleted when a source is removed.
package struct RemovalCounts: Sendable, Hashable, Codable {
    /// The number of tracks that no other source has.
    package var tracks: Int
    package var playlists: Int
    package var albums: Int

    package init(tracks: Int, playlists: Int, albums: Int) {
        (self.tracks, self.playlists, self.albums) = (tracks, playlists, albums)
    }
}

extension SourceRemovalStore {
    /// How much would be deleted if a source were removed.
    package func removalCounts(of source: MusicSource, userID: String) throws -> RemovalCounts {
        let row = try transaction.row(
            """
            SELECT apple_tracks, spotify_tracks, shared_tracks,
                (SELECT COUNT(*) FROM library_playlists
                WHERE library_id = libraries.id AND source = \(source.number)) AS playlists,
                (SELECT COUNT(*) FROM library_albums
                WHERE library_id = libraries.id AND source = \(source.number)) AS albums
            FROM libraries WHERE user_id = \(userID)
            """)
        guard let row else { return RemovalCounts(tracks: 0, playlists: 0, albums: 0) }
        let all: Int =
            switch source {
            case .appleMusic: try row["apple_tracks"]
            case .spotify: try row["spotify_tracks"]
            case .file: 0
            }
        let shared: Int = try row["shared_tracks"]
        return RemovalCounts(tracks: all - shared, playlists: try row["playlists"], albums: try row["albums"])
    }

    /// Sources whose rows are due to be deleted, starting with the one that has been due for longest.
    package func sourcesToRemove(
        limit: Int
    ) throws -> [(libraryID: Int64, userID: String, source: MusicSource)] {
        try transaction.map(
            """
            SELECT libraries.id AS library_id, libraries.user_id AS user_id, library_sources.source AS source
            FROM library_sources JOIN libraries ON libraries.id = library_sources.library_id
            WHERE library_sources.removal_at IS NOT NULL ORDER BY library_sources.removal_at LIMIT \(limit)
            """
        ) { (try $0["library_id"], try $0["user_id"], try MusicSource(row: $0)) }
    }
}

extension SourceRemovalStore where Access == WriteTransaction {
    /// Makes a source's rows due for deletion (``removeStep(of:libraryID:userID:limit:now:)``), and ends its scans:
    /// they fail at their next page with ``LibraryError/scanEnded``. Rows that a later scan writes for a new
    /// connection are kept.
    package func scheduleRemoval(of source: MusicSource, userID: String, now: Timestamp) throws {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return }
        let key = try transaction.library.nextKey(now: now)
        // These are only a few rows. Once an account has no row, everything that was read from it is due for deletion.
        for table: StaticString in ["library_readings", "library_fetched_pages", "library_sources"] {
            try transaction.run(
                "DELETE FROM \(trusted: table) WHERE library_id = \(library) AND source = \(source.number)")
        }
        // Rows from files do not belong to a service, and are kept.
        try transaction.run(
            """
            DELETE FROM library_accounts
            WHERE library_id = \(library) AND source = \(source.number) AND account <> \(accountOfFiles)
            """)
        try transaction.run(
            """
            INSERT INTO library_sources (library_id, source, removal_at, removal_key)
            VALUES (\(library), \(source.number), \(now), \(key))
            """)
        var writes = try transaction.library.beginWrites(library: library, userID: userID, sync: 0, now: now)
        writes.isChanged = true
        try transaction.library.finishWrites(writes)
    }

    /// Deletes some rows of a source that is due: playlists, albums, source tracks, changes, and tracks without any
    /// source. Must be called until it returns 0; after a crash, the next call continues.
    ///
    /// - Parameter limit: the maximum number of rows per step. A step deletes at most 40 source tracks, whose tracks
    ///   have to be written again, so that a limit that suits small rows does not hold the lock for too long.
    /// - Returns: the number of deleted rows; 0 if none are left, or if the source is not due.
    package func removeStep(
        of source: MusicSource, libraryID: Int64, userID: String, limit: Int, now: Timestamp
    ) throws -> Int {
        let due = try transaction.row(
            """
            SELECT library_sources.removal_key AS removal_key
            FROM library_sources JOIN libraries ON libraries.id = library_sources.library_id
            WHERE libraries.user_id = \(userID) AND library_sources.library_id = \(libraryID)
                AND library_sources.source = \(source.number) AND library_sources.removal_at IS NOT NULL
            """)
        guard let due else { return 0 }
        let removal = Removal(source: source, library: libraryID, limit: max(1, limit))
        var writes = try transaction.library.beginWrites(library: libraryID, userID: userID, sync: 0, now: now)
        writes.isChanged = true
        var removed = try removePlaylists(removal, in: &writes)
        if removed == 0 { removed = try removeAlbums(removal, in: &writes) }
        if removed == 0 { removed = try removeSourceTracks(removal, in: &writes) }
        if removed == 0 { removed = try removeChanges(removal, upTo: due["removal_key"]) }
        if removed == 0 { try endRemoval(removal) }
        try transaction.library.finishWrites(writes)
        return removed
    }

    private static var mostRemovedTracks: Int { 40 }

    private func removePlaylists(_ removal: Removal, in writes: inout LibraryWrites) throws -> Int {
        var removed = 0
        var room = removal.limit
        while room > 0, let id = try removal.ids(in: .playlists, limit: 1, transaction).first {
            let entries = try transaction.execute(
                """
                DELETE FROM library_playlist_entries WHERE playlist_id = \(id) AND (version, position) IN (
                    SELECT version, position FROM library_playlist_entries WHERE playlist_id = \(id)
                    ORDER BY version, position LIMIT \(room))
                """)
            removed += entries
            guard entries < room else { break }
            try removal.delete([id], of: .playlists, transaction)
            writes.counts.playlists -= 1
            removed += 1
            room -= entries + 4
        }
        return removed
    }

    private func removeAlbums(_ removal: Removal, in writes: inout LibraryWrites) throws -> Int {
        let ids = try removal.ids(in: .albums, limit: removal.limit, transaction)
        try removal.delete(ids, of: .albums, transaction)
        writes.counts.albums -= ids.count
        return ids.count
    }

    private func removeSourceTracks(_ removal: Removal, in writes: inout LibraryWrites) throws -> Int {
        let ids = try removal.ids(in: .tracks, limit: min(removal.limit, Self.mostRemovedTracks), transaction)
        guard !ids.isEmpty else { return 0 }
        try removeSourceTracks(ids, library: removal.library, in: &writes)
        return ids.count
    }

    /// Deletes source tracks, and tracks that have no others.
    ///
    /// - Parameter ids: at most about 40 source tracks, to keep the transaction short.
    package func removeSourceTracks(_ ids: [Int64], library: Int64, in writes: inout LibraryWrites) throws {
        let rows = try transaction.map(
            """
            SELECT \(SourceTrackRow.columns) FROM library_source_tracks
            WHERE +library_id = \(library) AND id IN (\(list: ids))
            """, SourceTrackRow.init)
        // Only a playlist of a newer connection still has such entries, until it is read again.
        try transaction.run(
            """
            UPDATE library_playlist_entries SET kind = 'unavailable', source_track_id = NULL
            WHERE source_track_id IN (\(list: ids))
            """)
        for source in Set(rows.map(\.source)) {
            try Removal(source: source, library: library, limit: ids.count).delete(
                rows.filter { $0.source == source }.map(\.id), of: .tracks, transaction)
        }
        var changes = SourceTrackChanges()
        changes.former = rows.map { SourceTrackChanges.Member($0) }
        changes.removed = Set(ids)
        changes.tracks = Set(rows.map(\.trackID))
        for member in changes.former {
            try transaction.trackIdentity.deleteKeys(member.profile.keys, of: member.row.id, library: library)
        }
        try transaction.trackIdentity.regroupTracks(
            affectedBy: changes, by: try transaction.trackIdentity.identity(ofLibrary: library), in: &writes)
    }

    /// - Parameter key: the key of the removal. Changes with higher keys belong to a newer connection.
    private func removeChanges(_ removal: Removal, upTo key: Int64?) throws -> Int {
        try transaction.libraryChanges.deleteChanges(
            "source = \(removal.source.number) AND id <= \(key ?? 0) ORDER BY id", ofLibrary: removal.library,
            limit: removal.limit)
    }

    /// Whether a service account is read. The account of files does not count.
    private func isConnected(_ source: MusicSource, library: Int64) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM library_accounts
            WHERE library_id = \(library) AND source = \(source.number) AND account <> \(accountOfFiles) LIMIT 1
            """) != nil
    }

    private func endRemoval(_ removal: Removal) throws {
        let (library, source) = (removal.library, removal.source)
        guard try !isConnected(source, library: library) else {
            // A newer connection is being read.
            try transaction.run(
                """
                UPDATE library_sources SET removal_at = NULL, removal_key = NULL
                WHERE library_id = \(library) AND source = \(source.number)
                """)
            return
        }
        for table: StaticString in ["library_sightings", "library_readings", "library_sources"] {
            try transaction.run(
                "DELETE FROM \(trusted: table) WHERE library_id = \(library) AND source = \(source.number)")
        }
    }
}

/// The removal of a source's rows.
private struct Removal {
    let source: MusicSource
    let library: Int64
    let limit: Int

    /// Rows of accounts that are no longer read.
    func ids(in list: SourceList, limit: Int, _ transaction: WriteTransaction) throws -> [Int64] {
        try transaction.map(
            """
            SELECT id FROM \(trusted: list.table)
            WHERE library_id = \(library) AND source = \(source.number) AND account_id NOT IN (
                SELECT id FROM library_accounts WHERE library_id = \(library) AND source = \(source.number))
            LIMIT \(limit)
            """
        ) { try $0["id"] }
    }

    /// Deletes rows and their sightings.
    func delete(_ ids: [Int64], of list: SourceList, _ transaction: WriteTransaction) throws {
        guard !ids.isEmpty else { return }
        try transaction.run(
            """
            DELETE FROM library_sightings
            WHERE library_id = \(library) AND source = \(source.number) AND item = \(list.item)
                AND item_id IN (\(list: ids))
            """)
        try transaction.run(
            "DELETE FROM \(trusted: list.table) WHERE +library_id = \(library) AND id IN (\(list: ids))")
    }
}
