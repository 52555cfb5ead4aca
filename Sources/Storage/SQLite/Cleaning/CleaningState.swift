import Model

/// The cleaning that is still due after rows were deleted, for all erased people together.
package struct CleaningState: Sendable, Equatable {
    /// The time since which the log and the page caches may hold copies of deleted rows; `nil` when the log was
    /// truncated after the last erasure.
    package var logDueSince: Timestamp?
    /// The next page to clean, from 1, in a file to which another program wrote without ``ZeroingVFS``: an
    /// administrator sets it to 1. `nil` when the whole file is clean.
    package var nextPage: Int64?

    package init(logDueSince: Timestamp? = nil, nextPage: Int64? = nil) {
        self.logDueSince = logDueSince
        self.nextPage = nextPage
    }

    /// A file of this many pages or more is not cleaned (``BTreePage/maximumPages``): 64 GiB with pages of 4 KiB.
    package static let maximumPages: Int64 = BTreePage.maximumPages / 2

    package var isDue: Bool { logDueSince != nil || nextPage != nil }
}

extension SQLReader {
    package func cleaningState() throws -> CleaningState {
        guard let row = try row("SELECT log_due_since, next_page FROM cleaning") else { return CleaningState() }
        return CleaningState(logDueSince: try row["log_due_since"], nextPage: try row["next_page"])
    }
}

extension ReadTransaction {
    /// The size of the database file in pages.
    package func pageCount() throws -> Int64 {
        try row(.onlySQLite("PRAGMA page_count"))?["page_count"] ?? 0
    }
}

extension WriteTransaction {
    /// Marks the log for truncation, because it holds copies of deleted rows. An earlier mark keeps its time.
    package func recordCleaningDue(now: Timestamp) throws {
        try run("UPDATE cleaning SET log_due_since = COALESCE(log_due_since, \(now))")
    }
}
