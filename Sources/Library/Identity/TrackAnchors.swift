import Identity

/// Which source tracks the ids of tracks belong to, of all that a change may touch (docs/identity.md).
struct TrackAnchors {
    /// The source track of an id, where it is written: of merged tracks, and of those that merges and splits concern.
    /// Any other track belongs to the first of its source tracks, by the order in which ``TrackValues`` looks at them.
    var sourceTracks: [Int64: Int64] = [:]
    /// The tracks that merged ids answer with, by these ids.
    var merged: [Int64: Int64] = [:]
    /// Whether a merged id may become a track again where another track is: it was that before, or is older.
    var mergedMaySurvive = false
    /// What stayed with tracks that a person split, by the track: the latest split counts. An id whose source track has
    /// left is with these until the split is undone.
    var staying: [Int64: Set<Listing>] = [:]
    /// The track whose split is made or undone, which survives as if it had a source track of Apple Music.
    var splitTrack: Int64?
}
