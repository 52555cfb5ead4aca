import Model

/// A write that waits for its turn in a batch.
struct PendingWrite: Sendable {
    enum Isolation: Sendable {
        /// No savepoint: a failure sends the whole batch back to be run entry by entry. For the
        /// hot statements that do not fail on valid input.
        case plain
        /// A savepoint of its own: a failure undoes this entry alone.
        case savepoint
        /// A transaction that it shares with no other, so that its length is its own.
        case alone
        /// Outside any transaction, under the write lock: checkpoints, and cleaning the file.
        case exclusive

        /// Whether others take part in its commit.
        var isShared: Bool {
            switch self {
            case .plain, .savepoint: true
            case .alone, .exclusive: false
            }
        }
    }

    let isolation: Isolation
    let enqueuedAt: MonotonicInstant
    /// Makes the write. It returns what to call once the batch is durable. It may run a second
    /// time, in a fresh transaction, when the first one was lost with its batch.
    let perform: @Sendable (WriteTransaction) throws -> @Sendable () -> Void
    let fail: @Sendable (any Error) -> Void
}
