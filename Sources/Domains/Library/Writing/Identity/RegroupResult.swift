/// The result of assigning source tracks to tracks again.
struct RegroupResult {
    /// The number of tracks that were merged into others.
    var merged = 0
    /// The number of new source tracks that were added to a track whose other source tracks have different names.
    var joined = 0
    /// The number of source tracks that were moved to a different track.
    var moved = 0
    /// The track of each source track that was examined.
    var trackIDs: [Int64: Int64] = [:]
    /// Whether pairs of tracks that may be the same song were added or removed.
    var changesDuplicates = false

    var isChange: Bool { merged > 0 || moved > 0 || changesDuplicates }
}
