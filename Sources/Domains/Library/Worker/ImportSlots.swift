import Synchronization

/// Limits how many files this process reads at once. Each may use 200 MiB of memory (docs/imports.md), and a process
/// runs more jobs at once than would fit.
final class ImportSlots: Sendable {
    static let most = 2

    private let taken = Mutex(0)

    /// - Returns: `false` when all slots are taken.
    func acquire() -> Bool {
        taken.withLock { taken in
            guard taken < Self.most else { return false }
            taken += 1
            return true
        }
    }

    func release() { taken.withLock { $0 -= 1 } }
}
