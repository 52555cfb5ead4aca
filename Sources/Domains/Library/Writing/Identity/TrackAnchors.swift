import Identity

/// The source tracks that track ids are tied to, for all ids that a change may affect (docs/identity.md).
struct TrackAnchors {
    /// The stored source track of an id. One is stored for merged tracks and for tracks that took part in a merge or
    /// split. Any other track is tied to its first source track, in the order that ``TrackValues`` uses.
    var sourceTracks: [Int64: Int64] = [:]
    /// The track that each merged id resolves to.
    var merged: [Int64: Int64] = [:]
    /// Whether a merged id may become a track again in place of another track, because it was that track before or is
    /// older.
    var mergedMaySurvive = false
    /// The source tracks that stayed with each track that the user split, according to its latest split. If an id's
    /// source track was split off, the id belongs with these until the split is undone.
    var staying: [Int64: Set<Listing>] = [:]
    /// The track that is being split, or whose split is being undone. It survives as if it had an Apple Music source
    /// track.
    var splitTrack: Int64?
}
