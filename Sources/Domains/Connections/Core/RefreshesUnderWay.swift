import Model
import Synchronization

/// The refreshes of one process whose requests were sent but whose tokens are not stored yet.
///
/// A refresh outlives the job that started it if that job is cancelled or takes too long. So a process that stops waits
/// for refreshes as well as for jobs.
final class RefreshesUnderWay: Sendable {
    private struct State {
        var count = 0
        /// The latest possible end of the refresh that was sent last.
        var latestEnd: MonotonicInstant?
        var isClosed = false
        var waiters: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    /// - Returns: `false` when the process is ending: no further refresh may be sent.
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

    /// The latest possible end of all refreshes under way; `nil` when there are none.
    var latestEnd: MonotonicInstant? {
        state.withLock { $0.count > 0 ? $0.latestEnd : nil }
    }

    /// Refuses further refreshes, and waits until `deadline` for those under way.
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
