import Model
import Synchronization

/// The refreshes of one process that have left, and whose tokens are not stored yet.
///
/// A job that was cancelled, or took too long, is none of its worker's any more while its refresh goes on: who ends
/// the process has to ask here.
final class RefreshesUnderWay: Sendable {
    private let state = Mutex((count: 0, isClosed: false))

    /// - Returns: `false` when the process ends: none may leave any more.
    func begin() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.count += 1
            return true
        }
    }

    func end() {
        state.withLock { $0.count -= 1 }
    }

    /// Lets no more leave, and waits for those that have, until `deadline` at the latest.
    func finish(by deadline: MonotonicInstant) async {
        state.withLock { $0.isClosed = true }
        while state.withLock({ $0.count > 0 }), MonotonicInstant.now() < deadline {
            guard (try? await Task.sleep(for: TokenKeeper.lookInterval)) != nil else { return }
        }
    }
}
