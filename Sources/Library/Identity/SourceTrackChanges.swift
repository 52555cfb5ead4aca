import Identity

/// Source tracks whose tracks have to be found anew, and why.
struct SourceTrackChanges {
    /// A source track with what the rules compare.
    struct Member {
        var row: SourceTrackRow
        var profile: IdentityProfile
        /// The folded names of a new one.
        var names: FoldedNames?

        init(_ row: SourceTrackRow, _ profile: IdentityProfile, _ names: FoldedNames? = nil) {
            (self.row, self.profile, self.names) = (row, profile, names)
        }

        init(_ row: SourceTrackRow) {
            self.init(row, row.profile)
        }
    }

    /// Those that the database does not have yet. Their track is 0 until one is found.
    var new: [Member] = []
    /// Those whose values changed, as they are now.
    var changed: [Member] = []
    /// Those that changed or go, as they were.
    var former: [Member] = []
    /// Those that the database is not to have any more. They may be there still.
    var removed: Set<Int64> = []
    /// Tracks whose values have to be written anew, also if they keep all their source tracks.
    var tracks: Set<Int64> = []
    /// Whether songs are found by other values now, and not only tracks have other values.
    var areOfSongs: Bool { !new.isEmpty || !changed.isEmpty || !former.isEmpty || !removed.isEmpty }

    /// Whether a person decides. All ids of the tracks go where they belong then.
    var isDecision = false
    /// The track whose split is made or undone: its id survives.
    var splitTrack: Int64?
}
