import Model
import Storage

extension TrackStore {
    /// Source tracks of a source, by the source's ids.
    package func sourceTracks(
        _ sourceIDs: [String], of source: MusicSource, library: Int64
    ) throws -> [String: SourceTrackRow] {
        var found: [String: SourceTrackRow] = [:]
        for part in sourceIDs.inParts {
            try transaction.forEachRow(
                """
                SELECT \(SourceTrackRow.columns) FROM library_source_tracks
                WHERE library_id = \(library) AND source = \(source.number) AND source_id IN (\(list: part))
                """
            ) {
                let row = try SourceTrackRow($0)
                found[row.track.sourceID] = row
                return .continue
            }
        }
        return found
    }

    /// The source tracks of tracks, by the track's key, oldest first.
    package func parts(ofTracks ids: [Int64], library: Int64) throws -> [Int64: [SourceTrackRow]] {
        var found: [Int64: [SourceTrackRow]] = [:]
        for part in ids.inParts {
            try transaction.forEachRow(
                """
                SELECT \(SourceTrackRow.columns) FROM library_source_tracks
                WHERE library_id = \(library) AND track_id IN (\(list: part)) ORDER BY id
                """
            ) {
                let row = try SourceTrackRow($0)
                found[row.trackID, default: []].append(row)
                return .continue
            }
        }
        return found
    }

    package func sourceTracks(ids: [Int64], library: Int64) throws -> [SourceTrackRow] {
        try ids.inParts.flatMap { part in
            try transaction.map(
                """
                SELECT \(SourceTrackRow.columns) FROM library_source_tracks
                WHERE +library_id = \(library) AND id IN (\(list: part))
                """, SourceTrackRow.init)
        }
    }
}
