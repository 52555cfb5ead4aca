import Storage

/// The SQL of accounts: what every transaction reads, and what a ``WriteTransaction`` writes.
package struct AccountStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var accounts: AccountStore<Self> { AccountStore(transaction: self) }
}
