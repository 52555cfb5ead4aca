import Library
import Model
import Storage

extension TrackIdentityStore {
    /// The pairs that include any of these tracks.
    ///
    /// The order makes SQLite use the index of that column; otherwise it would read all pairs of the library.
    func duplicates(ofTracks ids: [Int64], library: Int64) throws -> Set<DuplicateRow> {
        var found: Set<DuplicateRow> = []
        for part in ids.inParts {
            for column: StaticString in ["first_track_id", "second_track_id"] {
                found.formUnion(
                    try transaction.map(
                        """
                        SELECT \(DuplicateRow.columns) FROM library_duplicates
                        WHERE library_id = \(library) AND \(trusted: column) IN (\(list: part))
                        ORDER BY \(trusted: column)
                        """, DuplicateRow.init))
            }
        }
        return found
    }
}

extension TrackIdentityStore where Access == WriteTransaction {
    /// Stores which of the arranged tracks may be the same song, replacing what was stored about them.
    ///
    /// - Parameters:
    ///   - trackIDs: the ids of the arranged clusters.
    ///   - gone: tracks that no longer exist.
    /// - Returns: whether anything changed.
    func storeDuplicates(
        _ arrangement: TrackArrangement, _ trackIDs: [Int64?], gone: Set<Int64>, library: Int64
    ) throws -> Bool {
        let present = arrangement.duplicates(trackIDs)
        let former = try duplicates(ofTracks: arrangement.trackIDs.union(gone).sorted(), library: library)
        for row in former.subtracting(present) {
            try transaction.run(
                """
                DELETE FROM library_duplicates WHERE library_id = \(library)
                    AND first_track_id = \(row.tracks[0]) AND second_track_id = \(row.tracks[1])
                """)
        }
        for row in present.subtracting(former) {
            try transaction.run(
                """
                INSERT INTO library_duplicates (library_id, first_track_id, second_track_id, first_source_track_id,
                    second_source_track_id, likelihood)
                VALUES (\(library), \(row.tracks[0]), \(row.tracks[1]), \(row.sourceTracks[0]),
                    \(row.sourceTracks[1]), \(row.likelihood))
                """)
        }
        return former != present
    }
}

extension TrackArrangement {
    /// The rows for the arrangement's questions.
    ///
    /// - Parameter trackIDs: the ids of the clusters.
    func duplicates(_ trackIDs: [Int64?]) -> Set<DuplicateRow> {
        Set(
            questions.compactMap { question in
                guard let first = trackIDs[question.clusters.0], let second = trackIDs[question.clusters.1] else {
                    return nil
                }
                return DuplicateRow(
                    tracks: (first, second), sourceTracks: question.sourceTracks, likelihood: question.likelihood)
            })
    }
}
