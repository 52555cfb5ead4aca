import Library

/// Tracks that a call changes, with all of their source tracks.
struct TrackGroup {
    /// The values in the database; missing for new tracks.
    var before: [Int64: TrackValues] = [:]
    /// The source tracks after the call, by the track's key.
    var parts: [Int64: [SourceTrackRow]] = [:]
    /// The names of tracks that a page adds, if all source tracks of the track have these names.
    var newNames: [Int64: FoldedNames] = [:]

    var ids: [Int64] { Array(before.keys) }

    /// Replaces a source track with its new version.
    mutating func replace(_ row: SourceTrackRow) {
        guard let place = parts[row.trackID]?.firstIndex(where: { $0.id == row.id }) else { return }
        parts[row.trackID]?[place] = row
    }
}
