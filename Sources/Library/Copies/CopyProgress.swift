import Storage

/// How far a job has brought a copy: the state of the job. What it has brought further is in the rows of the entries.
package struct CopyProgress: CheckpointState, Equatable {
    /// Entries that were taken, looked up, or given to an edit; each of that counts.
    package var entries = 0

    package init() {}

    package var workDone: Int { entries }
}
