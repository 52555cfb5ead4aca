import Storage

/// The SQL of sealed secrets, and of what is sealed for minutes alone: what every transaction reads, and what a
/// ``WriteTransaction`` writes.
package struct VaultStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var vault: VaultStore<Self> { VaultStore(transaction: self) }
}
