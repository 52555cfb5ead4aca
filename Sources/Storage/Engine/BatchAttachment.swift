/// What a part of the program gathers while the writes of a batch run, writes once at its end, and tells of when it is
/// durable: the engine itself knows no table.
///
/// There is one object of a type for a batch, on the writer's thread. It is made when it is asked for
/// (``WriteTransaction/attachment(_:make:)``), or for every batch of a database
/// (``Database/attach(_:make:)``).
package protocol BatchAttachment: AnyObject {
    /// What the entry gathered is the batch's now.
    func entrySucceeded()
    /// What the entry gathered did not happen.
    func entryRolledBack()
    /// A part of the entry begins that may be undone alone. Parts may have parts.
    func partBegan()
    /// - Parameter isKept: whether what it gathered happened.
    func partEnded(isKept: Bool)
    /// Writes what was gathered. Runs last, inside the transaction.
    func finishBatch(in transaction: WriteTransaction) throws
    /// What to call once the batch is durable; on the writer's thread, so it must be quick. `nil`: nothing.
    func whenDurable() -> (@Sendable () -> Void)?
}
