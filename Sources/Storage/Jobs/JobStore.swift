/// The SQL of jobs: what every transaction reads, and what a ``WriteTransaction`` writes.
package struct JobStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var jobs: JobStore<Self> { JobStore(transaction: self) }
}
