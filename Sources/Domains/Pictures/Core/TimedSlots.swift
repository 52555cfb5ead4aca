import Synchronization

/// Lets so many callers pass at once. Others wait in line, each for a limited time.
final class TimedSlots: Sendable {
    private struct State {
        var free: Int
        var lastWaiter: UInt64 = 0
        /// In the order of their arrival.
        var waiters: [(id: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state: Mutex<State>

    init(count: Int) {
        state = Mutex(State(free: count))
    }

    /// Takes a slot, to be returned with ``release()``.
    ///
    /// - Returns: `false` when none became free in time.
    func take(within duration: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            let waiter: UInt64? = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return nil
                }
                state.lastWaiter += 1
                state.waiters.append((state.lastWaiter, continuation))
                return state.lastWaiter
            }
            guard let waiter else { return continuation.resume(returning: true) }
            Task {
                try? await Task.sleep(for: duration)
                self.giveUp(waiter)
            }
        }
    }

    func release() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.waiters.isEmpty else { return state.waiters.removeFirst().continuation }
            state.free += 1
            return nil
        }
        next?.resume(returning: true)
    }

    private func giveUp(_ waiter: UInt64) {
        let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let index = state.waiters.firstIndex(where: { $0.id == waiter }) else { return nil }
            return state.waiters.remove(at: index).continuation
        }
        continuation?.resume(returning: false)
    }
}
