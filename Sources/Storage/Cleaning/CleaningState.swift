import Model

/// What is still to be cleaned of rows that are deleted, for everybody who left at once.
package struct CleaningState: Sendable, Equatable {
    /// Since when the log, and pages in memory, may hold copies of rows that are deleted; `nil` when it was cut off
    /// since.
    package var logDueSince: Timestamp?
    /// The page of the file, counted from 1, at which going through it goes on; `nil` when that is done. The pages of
    /// a file that was written by releases without ``CleanFiles`` are gone through once.
    package var nextPage: Int64?

    package init(logDueSince: Timestamp? = nil, nextPage: Int64? = nil) {
        self.logDueSince = logDueSince
        self.nextPage = nextPage
    }

    /// The pages of a database below which copies of deleted rows are kept out of its file (``BTreePage``): 64 GiB in
    /// pages of 4 KiB.
    package static let maximumPages: Int64 = BTreePage.maximumPages / 2

    package var isDue: Bool { logDueSince != nil || nextPage != nil }
}

extension SQLReader {
    package func cleaningState() throws -> CleaningState {
        guard let row = try row("SELECT log_due_since, next_page FROM cleaning") else { return CleaningState() }
        return CleaningState(logDueSince: try row["log_due_since"], nextPage: try row["next_page"])
    }
}

extension WriteTransaction {
    /// Notes that rows were deleted of which the log is to keep nothing. What was noted before stays.
    package func noteCleaningDue(now: Timestamp) throws {
        try execute("UPDATE cleaning SET log_due_since = COALESCE(log_due_since, \(now))")
    }
}
