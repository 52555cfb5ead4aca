import Library
import LibraryWriting
import Model
import Storage

/// Which playlists' entries a sync reads.
extension PlaylistStore {
    /// A source's playlists whose entries have to be read, in the order of their keys.
    ///
    /// Playlists that an edit is changing, or has just changed, are left for the next sync.
    ///
    /// - Parameter id: the key to start after; 0 starts with the first playlist.
    package func playlistsToRead(
        by scan: SourceScan, after id: Int64, limit: Int, now: Timestamp = .now()
    ) throws -> [PlaylistToRead] {
        try transaction.map(
            """
            SELECT id, source_id, due_version, edits FROM library_playlists
            WHERE library_id = \(scan.libraryID) AND source = \(scan.source.number)
                AND account_id = \(scan.accountID) AND is_due = 1 AND missing_since IS NULL AND id > \(id)
                AND \(EditLock.isFree("library_playlists", .playlists, at: now, except: .rename))
            ORDER BY id LIMIT \(limit)
            """
        ) {
            PlaylistToRead(
                id: try $0["id"], sourceID: try $0["source_id"], upstreamVersion: try $0["due_version"],
                edits: try $0["edits"])
        }
    }
}

extension PlaylistStore where Access == WriteTransaction {
    /// Makes the next sync of a source request its refused entries again.
    func refetchRefusedEntries(of source: MusicSource, userID: String) throws {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return }
        try transaction.run(
            """
            UPDATE library_playlists SET is_due = 1, due_version = upstream_version
            WHERE library_id = \(library) AND source = \(source.number) AND entries_state = 'forbidden' AND is_due = 0
            """)
    }
}
