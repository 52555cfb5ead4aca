/// The stage of regrouping a library. A library is regrouped if it was written under earlier rules, or when its user
/// changes a setting. The numbers are stored in the database.
package enum RegroupStage: Int, Sendable {
    /// Deletes the keys of the earlier rules.
    case dropKeys = 0
    /// Creates the keys of every source track.
    case makeKeys = 1
    /// Assigns all source tracks to tracks again.
    case group = 2
    case done = 3
    /// Reassigns only the source tracks for which it matters whether a remaster is the same song. The setting does not
    /// affect any others.
    case groupRemasters = 4
}

/// The progress of regrouping a library.
package struct RegroupProgress: Sendable, Hashable {
    package var stage: RegroupStage
    /// In ``RegroupStage/makeKeys``, the key of the last row processed. ``RegroupStage/group`` and
    /// ``RegroupStage/groupRemasters`` are completed in a single run; there, the number identifies the change that
    /// started the stage.
    package var after: Int64

    package init(_ stage: RegroupStage, after: Int64 = 0) {
        (self.stage, self.after) = (stage, after)
    }
}

/// The effect of one step of regrouping.
package struct RegroupEffect: Sendable, Hashable {
    /// The number of rows examined.
    package var count = 0
    /// The number of tracks that were merged into others.
    package var merged = 0
    /// The library's progress after the step.
    package var progress: RegroupProgress
}
