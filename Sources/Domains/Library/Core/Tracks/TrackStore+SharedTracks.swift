import Model
import Storage

extension TrackStore where Access == ReadTransaction {
    /// Songs that two users share according to their ISRCs, as each of the two libraries has them.
    ///
    /// - Parameter seed: determines which songs are returned if there are more than `limit`.
    package func sharedTracks(
        of userID: String, with otherID: String, seed: Int, limit: Int
    ) throws -> (own: [LibraryTrack], other: [LibraryTrack]) {
        guard let library = try transaction.library.libraryID(ofUser: userID),
            let other = try transaction.library.libraryID(ofUser: otherID)
        else {
            return ([], [])
        }
        let pairs: [(Int64, Int64)] = try transaction.map(
            """
            SELECT MIN(a.id) AS own, MIN(b.id) AS other FROM library_tracks a
            JOIN library_tracks b ON b.isrc = a.isrc AND b.library_id = \(other)
            WHERE a.library_id = \(library) AND a.isrc IS NOT NULL
            GROUP BY a.isrc ORDER BY (MIN(a.id) + MIN(b.id) + \(seed)) % 1000003, MIN(a.id) LIMIT \(limit)
            """
        ) { (try $0["own"], try $0["other"]) }
        return (
            try tracks(ids: pairs.map(\.0), library: library), try tracks(ids: pairs.map(\.1), library: other)
        )
    }

    /// The ids of songs in the services' catalogs.
    package func catalogIDs(ofTracks ids: [LibraryID], userID: String) throws -> [LibraryID: [MusicSource: String]] {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return [:] }
        var found: [LibraryID: [MusicSource: String]] = [:]
        for (track, parts) in try parts(ofTracks: ids.map(\.key), library: library) {
            for part in parts {
                let id = part.source == .spotify ? part.track.sourceID : part.track.catalogID
                if let id, part.source != .file { found[LibraryID(key: track), default: [:]][part.source] = id }
            }
        }
        return found
    }
}
