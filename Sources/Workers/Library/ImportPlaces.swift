import Synchronization

/// How many files this process reads at once. Each may take 200 MiB of memory (docs/imports.md), and a process has
/// places for more jobs than have room for that.
final class ImportPlaces: Sendable {
    static let most = 2

    private let taken = Mutex(0)

    /// - Returns: `false` when all are taken.
    func take() -> Bool {
        taken.withLock { taken in
            guard taken < Self.most else { return false }
            taken += 1
            return true
        }
    }

    func giveBack() { taken.withLock { $0 -= 1 } }
}
