import Synchronization
import TestSupport

/// Carries frames between a gateway and its workers, in their order, on a task of its own; it can
/// lose and repeat some, and be cut.
final class Line: Sendable {
    private struct State {
        var random: SeededRandom?
        var isCut: Set<String> = []
    }

    private let state: Mutex<State>
    private let deliveries: AsyncStream<@Sendable () -> Void>.Continuation
    private let task: Task<Void, Never>

    /// - Parameter seed: of the faults; `nil` for a line without.
    init(faults seed: UInt64?) {
        state = Mutex(State(random: seed.map(SeededRandom.init)))
        let (stream, continuation) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
        deliveries = continuation
        task = Task {
            for await deliver in stream { deliver() }
        }
    }

    deinit { deliveries.finish() }

    /// Brings a frame to or from a worker.
    func carry(worker epoch: String, _ deliver: @escaping @Sendable () -> Void) {
        let copies = state.withLock { state -> Int in
            guard !state.isCut.contains(epoch) else { return 0 }
            return state.random != nil ? [0, 1, 1, 1, 1, 2].randomElement(using: &state.random!)! : 1
        }
        for _ in 0..<copies { deliveries.yield(deliver) }
    }

    /// Nothing passes to or from a worker any more.
    func cut(_ epoch: String) { state.withLock { _ = $0.isCut.insert(epoch) } }

    func mend(_ epoch: String) { state.withLock { _ = $0.isCut.remove(epoch) } }

    /// No more frames are lost or repeated.
    func calm() { state.withLock { $0.random = nil } }
}
