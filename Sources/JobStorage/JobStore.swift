import Storage

/// The SQL of jobs: queries for every transaction, and statements for a ``WriteTransaction``.
package struct JobStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var jobs: JobStore<Self> { JobStore(transaction: self) }
}

/// The orders of lists of jobs.
package enum JobLists {
    /// A user's jobs, newest first.
    package static let own = Keyset<RowID>("jobs", by: "id", descending: true)
    /// Dead letters of all users, newest first.
    package static let deadLetters = Keyset<RowID>("deadLetters", by: "id", descending: true)
}
