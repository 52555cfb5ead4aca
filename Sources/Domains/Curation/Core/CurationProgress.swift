import JobStorage

/// How much of a list has been made: the state of its job. Starting a model call does not count as progress.
package struct CurationProgress: CheckpointState, Equatable {
    /// The number of songs that were looked up.
    package var found = 0
    /// Whether there is an answer from a model, or it is known that there will be none.
    package var isDecided = false

    package init() {}

    package var workDone: Int { found + (isDecided ? 1 : 0) }
}

extension CurationStore {
    package func progress(of id: String, userID: String) throws -> CurationProgress {
        var progress = CurationProgress()
        guard let list = try list(id, userID: userID) else { return progress }
        (progress.found, progress.isDecided) = (list.found.count, list.answer != nil || list.fallback != nil)
        return progress
    }
}
