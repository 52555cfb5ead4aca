/// A track that a person has listened to.
struct Play: Sendable, Equatable {
    var track: SavedTrack
    /// When it ended, in milliseconds since 1970.
    var endedAt: Int64
}
