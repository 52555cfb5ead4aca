import Model

/// A write in the queue of the writer's thread.
struct PendingWrite: Sendable {
    enum Isolation: Sendable {
        /// Shares its transaction without a savepoint: after a failure all entries of the batch run again one by one.
        /// Meant for frequent statements that do not fail on valid input.
        case plain
        /// Shares its transaction, with a savepoint of its own: a failure rolls back this entry alone.
        case savepoint
        /// Gets a transaction of its own.
        case alone
        /// Gets the write lock without a transaction: for an engine's work on its own files.
        case exclusive

        /// Whether it shares its transaction with other entries.
        var isShared: Bool {
            switch self {
            case .plain, .savepoint: true
            case .alone, .exclusive: false
            }
        }
    }

    let isolation: Isolation
    let enqueuedAt: MonotonicInstant
    /// Makes the write and returns what to call once it is durable. It runs a second time, in another transaction, if
    /// the first one was lost with its batch.
    let perform: @Sendable (WriteTransaction) throws -> @Sendable () -> Void
    let fail: @Sendable (any Error) -> Void
}
