import Storage

extension RestoreMark {
    /// Unfinished jobs get run numbers that no worker has had.
    package static let jobs = RestoreMark("UPDATE jobs SET run = run + \(leap) WHERE finished_at IS NULL")
}
