/// The SQL of permits: what every transaction reads, and what a ``WriteTransaction`` writes.
package struct PermitStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var permits: PermitStore<Self> { PermitStore(transaction: self) }
}
