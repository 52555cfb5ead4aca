import Storage

/// The SQL of sealed values: secrets, candidates and authorizations.
package struct VaultStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var vault: VaultStore<Self> { VaultStore(transaction: self) }
}
