import Library
import Model
import Storage

extension LibraryStore where Access == WriteTransaction {
    /// Begins to collect what one call writes to a library. ``finishWrites(_:)`` writes it.
    ///
    /// - Parameter sync: the number of the sync that the change log refers to; 0 if there is none.
    package func beginWrites(library: Int64, userID: String, sync: Int64, now: Timestamp) throws -> LibraryWrites {
        LibraryWrites(libraryID: library, userID: userID, sync: sync, now: now, lastKey: try lastKey())
    }

    /// Begins to collect what a scan writes to a library.
    package func beginWrites(by scan: SourceScan, now: Timestamp) throws -> LibraryWrites {
        try beginWrites(library: scan.libraryID, userID: scan.userID, sync: scan.sync, now: now)
    }

    /// Writes what was collected. Without changes, it writes nothing.
    package func finishWrites(_ writes: LibraryWrites) throws {
        if writes.hasNewKeys { try transaction.run("UPDATE library_keys SET value = \(writes.lastKey)") }
        try transaction.libraryChanges.appendChanges(writes.changes, by: writes)
        try transaction.librarySearch.updateIndex(
            texts: writes.texts, removing: writes.removedTexts, library: writes.libraryID)
        guard
            writes.isChanged || writes.changesSongs || !writes.changes.isEmpty || writes.counts != LibraryCounts()
        else { return }
        let (counts, change) = (writes.counts, try transaction.nextChange())
        try transaction.run(
            """
            UPDATE libraries SET tracks = tracks + \(counts.tracks),
                apple_tracks = apple_tracks + \(counts.appleTracks),
                spotify_tracks = spotify_tracks + \(counts.spotifyTracks),
                shared_tracks = shared_tracks + \(counts.sharedTracks),
                missing_tracks = missing_tracks + \(counts.missingTracks),
                playlists = playlists + \(counts.playlists), albums = albums + \(counts.albums),
                change = \(change),
                songs_change = CASE WHEN \(writes.changesSongs) <> 0 THEN \(change) ELSE songs_change END
            WHERE user_id = \(writes.userID) AND id = \(writes.libraryID)
            """)
        transaction.recordChange(of: [writes.userID], topic: .library)
    }
}
