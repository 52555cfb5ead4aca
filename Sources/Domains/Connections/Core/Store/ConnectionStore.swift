import Storage

/// The SQL of connections: what every transaction reads, and what a ``WriteTransaction`` writes.
package struct ConnectionStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var connections: ConnectionStore<Self> { ConnectionStore(transaction: self) }
}
