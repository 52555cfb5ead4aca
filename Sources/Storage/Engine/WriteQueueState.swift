import Collections
import Model

/// What waits for the writer's thread, and how long that waits itself.
struct WriteQueueState: Sendable {
    /// The longest time the writer waits for another process to release the write lock before writes are refused.
    static let lockTimeout = Duration.seconds(5)

    var pending: Deque<PendingWrite> = []
    var isClosed = false
    /// Since when this process has waited for the lock, if it does.
    var blockedSince: MonotonicInstant?
    var isWatched = false
    /// Who wants to know whether the writer's thread still turns.
    var probes: [@Sendable () -> Void] = []

    mutating func takeProbes() -> [@Sendable () -> Void] {
        exchange(&probes, with: [])
    }

    /// Whether the writer has waited for the lock for ``lockTimeout`` without a break.
    func isBlocked(now: MonotonicInstant) -> Bool {
        guard let blockedSince else { return false }
        return blockedSince.duration(to: now) >= Self.lockTimeout
    }

    /// Removes those writes that are to be refused, oldest first: the writer is blocked, and they have waited for
    /// ``lockTimeout`` too.
    ///
    /// A write that is old because many came before it is none of them: the others progress, and nobody is to blame.
    mutating func takeExpired(now: MonotonicInstant) -> [PendingWrite] {
        guard isBlocked(now: now) else { return [] }
        var expired: [PendingWrite] = []
        while let first = pending.first, first.enqueuedAt.duration(to: now) >= Self.lockTimeout {
            expired.append(first)
            pending.removeFirst()
        }
        return expired
    }
}
