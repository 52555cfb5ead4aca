import Model
import Synchronization

/// The refreshes of one process that have left, and whose tokens are not stored yet.
///
/// A job that was cancelled, or took too long, is none of its worker's any more while its refresh goes on: who ends
/// the process has to ask here.
final class RefreshesUnderWay: Sendable {
    private struct State {
        var count = 0
        /// When the one that left last is over at the latest.
        var latestEnd: MonotonicInstant?
        var isClosed = false
        var waiters: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    /// - Returns: `false` when the process ends: none may leave any more.
    func begin() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.count += 1
            state.latestEnd = .now().advanced(by: TokenKeeper.longestRefresh)
            return true
        }
    }

    func end() {
        let waiters = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [AsyncStream<Void>.Continuation]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.finish() }
    }

    /// When all that have left are over at the latest; `nil` when none has.
    var latestEnd: MonotonicInstant? {
        state.withLock { $0.count > 0 ? $0.latestEnd : nil }
    }

    /// Lets no more leave, and waits for those that have, until `deadline` at the latest.
    func finish(by deadline: MonotonicInstant) async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        state.withLock { state in
            state.isClosed = true
            if state.count > 0 { state.waiters.append(end) } else { end.finish() }
        }
        await withTaskGroup { group in
            group.addTask { for await _ in ends {} }
            group.addTask { try? await Task.sleep(for: max(.zero, MonotonicInstant.now().duration(to: deadline))) }
            await group.next()
            group.cancelAll()
        }
    }
}
