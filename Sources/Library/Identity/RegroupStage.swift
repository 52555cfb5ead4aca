/// How far a library has come that is being brought under the rules: one that was written under former rules, or whose
/// person changed a setting. The numbers are in the database.
package enum RegroupStage: Int, Sendable {
    /// Deletes the keys of former rules.
    case dropKeys = 0
    /// Makes a key for each source track.
    case makeKeys = 1
    /// Finds the tracks of all source tracks anew.
    case group = 2
    case done = 3
    /// Finds the tracks anew of those source tracks to which it matters whether a remaster is the same song. All others
    /// follow from the rules, whatever the setting says.
    case groupRemasters = 4
}

/// How far a library has come.
package struct RegroupProgress: Sendable, Hashable {
    package var stage: RegroupStage
    /// The key of the last row of ``RegroupStage/makeKeys``. ``RegroupStage/group`` and ``RegroupStage/groupRemasters``
    /// are done in one run, and have a number that says which beginning of it this is.
    package var after: Int64

    package init(_ stage: RegroupStage, after: Int64 = 0) {
        (self.stage, self.after) = (stage, after)
    }
}

/// What a step of regrouping did.
package struct RegroupEffect: Sendable, Hashable {
    /// The rows that it looked at.
    package var count = 0
    /// Tracks that became part of others.
    package var merged = 0
    /// How far the library has come.
    package var progress: RegroupProgress
}
