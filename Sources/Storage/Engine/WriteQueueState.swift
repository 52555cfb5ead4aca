import Collections
import Model

/// The waiting writes, and the writer's own wait for the lock.
struct WriteQueueState: Sendable {
    /// The time after which writes are refused while another process holds the write lock.
    static let lockTimeout = Duration.seconds(5)

    var pending: Deque<PendingWrite> = []
    var isClosed = false
    /// The time since which this process has waited for the lock; `nil` when it does not wait.
    var blockedSince: MonotonicInstant?
    var isWatched = false
    /// Closures that the writer's thread calls in its next round.
    var probes: [@Sendable () -> Void] = []

    mutating func takeProbes() -> [@Sendable () -> Void] {
        exchange(&probes, with: [])
    }

    /// Whether the writer has waited for the lock for ``lockTimeout``.
    func isBlocked(now: MonotonicInstant) -> Bool {
        guard let blockedSince else { return false }
        return blockedSince.duration(to: now) >= Self.lockTimeout
    }

    /// Removes and returns the writes to refuse, oldest first: those that have waited for ``lockTimeout`` while the
    /// writer is blocked. A write that waits because many others come first is not refused.
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
