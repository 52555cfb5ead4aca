import Storage

/// The SQL of concerts: what every transaction reads, and what a ``WriteTransaction`` writes.
package struct ConcertStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var concerts: ConcertStore<Self> { ConcertStore(transaction: self) }
}
