/// Data that a part of the program collects while the entries of a batch run, writes once at the end of the batch, and
/// reports when the batch is durable. This way the engine needs no knowledge of tables.
///
/// Each batch has one object of a type, on the writer's thread. It is created on demand
/// (``WriteTransaction/attachment(_:make:)``) or for every batch of a database (``Database/attach(_:make:)``).
package protocol BatchAttachment: AnyObject {
    /// Keeps what the entry added.
    func entrySucceeded()
    /// Discards what the entry added.
    func entryRolledBack()
    /// A savepoint within the entry begins. Savepoints may be nested.
    func partBegan()
    /// The innermost savepoint ends.
    ///
    /// - Parameter isStored: `false` discards what was added since it began.
    func partEnded(isStored: Bool)
    /// Writes what was collected, as the last statements of the transaction.
    func finishBatch(in transaction: WriteTransaction) throws
    /// A closure to call once the batch is durable; `nil` for none. It runs on the writer's thread and must be quick.
    func whenDurable() -> (@Sendable () -> Void)?
}
