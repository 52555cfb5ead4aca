import Storage

/// Two tracks that may be the same song: a row of `library_duplicates`.
package struct DuplicateRow: Hashable {
    /// The tracks' keys, smaller one first.
    package let tracks: [Int64]
    /// The most similar source tracks, in the order of ``tracks``.
    package let sourceTracks: [Int64]
    package let likelihood: Int

    package init(tracks: (Int64, Int64), sourceTracks: (Int64, Int64), likelihood: Int) {
        let isOrdered = tracks.0 < tracks.1
        self.tracks = isOrdered ? [tracks.0, tracks.1] : [tracks.1, tracks.0]
        self.sourceTracks = isOrdered ? [sourceTracks.0, sourceTracks.1] : [sourceTracks.1, sourceTracks.0]
        self.likelihood = likelihood
    }

    package init(_ row: Row) throws {
        tracks = [try row["first_track_id"], try row["second_track_id"]]
        sourceTracks = [try row["first_source_track_id"], try row["second_source_track_id"]]
        likelihood = try row["likelihood"]
    }

    package static let columns: SQL =
        "first_track_id, second_track_id, first_source_track_id, second_source_track_id, likelihood"
}
