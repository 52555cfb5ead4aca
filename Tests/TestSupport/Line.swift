import Synchronization

/// Carries frames between a gateway and its workers in order, on its own task. It can lose and repeat frames, and be
/// cut.
package final class Line: Sendable {
    private struct State {
        var random: SeededRandom?
        var isCut: Set<String> = []
    }

    private let state: Mutex<State>
    private let deliveries: AsyncStream<@Sendable () -> Void>.Continuation
    private let task: Task<Void, Never>

    /// - Parameter faults: the seed of the faults; `nil` for none.
    package init(faults seed: UInt64? = nil) {
        state = Mutex(State(random: seed.map(SeededRandom.init)))
        let (stream, continuation) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
        deliveries = continuation
        task = Task {
            for await deliver in stream { deliver() }
        }
    }

    deinit { deliveries.finish() }

    /// Carries a frame to or from a worker.
    package func carry(worker instance: String, _ deliver: @escaping @Sendable () -> Void) {
        let copies = state.withLock { state -> Int in
            guard !state.isCut.contains(instance) else { return 0 }
            return state.random != nil ? [0, 1, 1, 1, 1, 2].randomElement(using: &state.random!)! : 1
        }
        for _ in 0..<copies { deliveries.yield(deliver) }
    }

    /// Stops carrying frames to and from a worker.
    package func cut(_ instance: String) { state.withLock { _ = $0.isCut.insert(instance) } }

    package func mend(_ instance: String) { state.withLock { _ = $0.isCut.remove(instance) } }

    /// Stops losing and repeating frames.
    package func calm() { state.withLock { $0.random = nil } }
}
