import JobStorage

/// The progress of a copy, stored as the state of its job. The details are in the rows of the entries.
package struct CopyProgress: CheckpointState, Equatable {
    /// The number of entries collected, matched, or handed to an edit; an entry counts once for each of these.
    package var entries = 0

    package init() {}

    package var workDone: Int { entries }
}
