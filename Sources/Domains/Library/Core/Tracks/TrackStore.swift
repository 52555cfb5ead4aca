import Model
import Storage

/// Tracks and source tracks, read or written in a transaction: `transaction.tracks`.
package struct TrackStore<Access: SQLReader> {
    package let transaction: Access
}

extension SQLReader {
    package var tracks: TrackStore<Self> { TrackStore(transaction: self) }
}

extension TrackStore {
    /// The tracks with the given keys, in the same order. Keys of other libraries are left out.
    func tracks(ids: [Int64], library: Int64) throws -> [LibraryTrack] {
        guard !ids.isEmpty else { return [] }
        // The plus sign keeps SQLite from walking the whole library along an index that begins with library_id.
        let found = try transaction.map(
            """
            SELECT \(LibraryTrack.columns) FROM library_tracks
            WHERE id IN (\(list: ids)) AND +library_id = \(library)
            """, LibraryTrack.init)
        let byKey = Dictionary(found.map { ($0.id.key, $0) }) { first, _ in first }
        return ids.compactMap { byKey[$0] }
    }

    /// One of a user's tracks; `nil` if they have none with this id.
    package func track(_ id: LibraryID, userID: String) throws -> LibraryTrack? {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return nil }
        return try tracks(ids: [id.key], library: library).first
    }

    /// A track as each source describes it, Apple Music first.
    package func sourceTracks(ofTrack id: LibraryID, userID: String) throws -> [LibrarySourceTrack] {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return [] }
        return try transaction.map(
            """
            SELECT \(LibrarySourceTrack.columns) FROM library_source_tracks
            WHERE track_id = \(id.key) AND +library_id = \(library) ORDER BY source, id
            """, LibrarySourceTrack.init)
    }
}

extension TrackStore where Access == WriteTransaction {
    /// Sets the number of a user's listens for each track, by the track's key.
    package func setListens(_ counts: [Int64: Int], userID: String) throws {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return }
        for (id, listens) in counts.sorted(by: { $0.key < $1.key }) {
            try transaction.run(
                """
                UPDATE library_tracks SET listens = \(listens),
                    total_plays = CASE WHEN plays > \(listens) THEN plays ELSE \(listens) END
                WHERE library_id = \(library) AND id = \(id) AND listens <> \(listens)
                """)
        }
    }
}
