import Identity
import Library

/// Source tracks that have to be assigned to tracks again, and why.
struct SourceTrackChanges {
    /// A source track with the values that the identity rules compare.
    struct Member {
        var row: SourceTrackRow
        var profile: IdentityProfile
        /// The folded names of a new source track.
        var names: FoldedNames?

        init(_ row: SourceTrackRow, _ profile: IdentityProfile, _ names: FoldedNames? = nil) {
            (self.row, self.profile, self.names) = (row, profile, names)
        }

        init(_ row: SourceTrackRow) {
            self.init(row, row.profile)
        }
    }

    /// Source tracks that are not in the database yet. Their track id is 0 until one is assigned.
    var new: [Member] = []
    /// Source tracks whose values changed, with their new values.
    var changed: [Member] = []
    /// Source tracks that changed or are to be deleted, with their former values.
    var former: [Member] = []
    /// The ids of source tracks to delete. They may still be in the database.
    var removed: Set<Int64> = []
    /// Tracks whose values have to be written again, even if they keep all their source tracks.
    var tracks: Set<Int64> = []
    /// Whether the assignment of source tracks may change, rather than only the values of tracks.
    var areOfSongs: Bool { !new.isEmpty || !changed.isEmpty || !former.isEmpty || !removed.isEmpty }

    /// Whether this results from a user's decision. In that case, the tracks' ids are all placed where they belong.
    var isDecision = false
    /// The track that is being split, or whose split is being undone; its id survives.
    var splitTrack: Int64?
}
