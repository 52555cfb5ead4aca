import Model
import PermitStorage
import Storage
import Synchronization

/// What all upstream calls of one process share: the transport, permits, circuit breakers and retry budgets.
///
/// A process has one runtime, and creates ``UpstreamClient``s from it for each provider and credential, as often as
/// needed.
package final class UpstreamRuntime: Sendable {
    let transport: HTTPTransport
    private let database: Database
    private let breaker: CircuitBreaker.Settings
    private let breakerClock: MonotonicClock
    private let process = UUIDv7.next()
    private let onEvent: @Sendable (UpstreamEvent) -> Void

    private struct State {
        /// A queue lives as long as a client, a call or a pending write needs it: anybody can enter keys, and most are
        /// never used again.
        var permits: [PermitKey: WeakQueue] = [:]
        /// The number of references at which dead ones are removed.
        var permitCapacity = 64
        var gates: [PermitKey: KnownGate] = [:]
        /// The number of gates at which unused ones are removed.
        var gateCapacity = 64
        var budgets: [String: RetryBudget] = [:]
        var lastCall: UInt64 = 0
    }
    private struct WeakQueue {
        weak var queue: PermitQueue?
    }
    private struct KnownGate {
        weak var gate: CircuitGate?
        /// The same gate, if it was recently requested: an open breaker must outlive short-lived clients.
        var kept: CircuitGate?
        var askedAt: MonotonicInstant
    }
    /// How long a gate is retained that no client uses: longer than a breaker stays open.
    private static let gateRetention = Duration.seconds(600)
    private let state = Mutex(State())

    /// - Parameters:
    ///   - database: already has its schema.
    ///   - onEvent: called on any thread; must return quickly.
    package init(
        transport: HTTPTransport, database: Database, breaker: CircuitBreaker.Settings = CircuitBreaker.Settings(),
        breakerClock: MonotonicClock = .system, onEvent: @escaping @Sendable (UpstreamEvent) -> Void = { _ in }
    ) {
        self.transport = transport
        self.database = database
        self.breaker = breaker
        self.breakerClock = breakerClock
        self.onEvent = onEvent
    }

    /// Shuts down the transport, and waits until pending releases and pauses are written.
    package func shutdown() async {
        await transport.shutdown()
        for queue in state.withLock({ $0.permits.values.compactMap(\.queue) }) { await queue.waitUntilIdle() }
    }

    /// Makes the transport's thread call `answer`; a thread that hangs never does.
    package func probe(_ answer: @escaping @Sendable () -> Void) {
        transport.probe(answer)
    }

    /// The queue of a key. While the queue lives, it has the limits of the first call.
    func permits(of key: PermitKey, limit: PermitLimit, quotas: [PermitQuota] = []) -> PermitQueue {
        state.withLock { state in
            if let queue = state.permits[key]?.queue { return queue }
            if state.permits.count >= state.permitCapacity {
                state.permits = state.permits.filter { $0.value.queue != nil }
                state.permitCapacity = max(64, 2 * state.permits.count)
            }
            let queue = PermitQueue(
                key: key, limit: limit, quotas: quotas, database: database, process: process)
            state.permits[key] = WeakQueue(queue: queue)
            return queue
        }
    }

    /// How many queues and gates are in memory.
    var keyCount: Int { state.withLock { $0.permits.count + $0.gates.count } }

    /// - Parameter opens: whether failures open the breaker.
    func gate(of key: PermitKey, opens: Bool = true) -> CircuitGate {
        state.withLock { state in
            let now = breakerClock.now()
            if let gate = state.gates[key]?.gate {
                state.gates[key] = KnownGate(gate: gate, kept: gate, askedAt: now)
                return gate
            }
            if state.gates.count >= state.gateCapacity { Self.removeUnused(from: &state, now: now) }
            let gate = CircuitGate(key: key, settings: opens ? breaker : .neverOpen, clock: breakerClock)
            state.gates[key] = KnownGate(gate: gate, kept: gate, askedAt: now)
            return gate
        }
    }

    private static func removeUnused(from state: inout State, now: MonotonicInstant) {
        for (key, known) in state.gates where known.askedAt.duration(to: now) >= gateRetention {
            state.gates[key]?.kept = nil
        }
        state.gates = state.gates.filter { $0.value.gate != nil }
        state.gateCapacity = max(64, 2 * state.gates.count)
    }

    /// Counts a call to `provider`; returns a number that is unique among the calls of this process.
    func beginCall(to provider: String) -> UInt64 {
        state.withLock { state in
            state.budgets[provider, default: RetryBudget(now: .now())].recordCall()
            state.lastCall += 1
            return state.lastCall
        }
    }

    /// Whether the retry budget of `provider` allows one more retry; if so, the retry is deducted from the budget.
    func mayRetry(_ provider: String) -> Bool {
        state.withLock { $0.budgets[provider, default: RetryBudget(now: .now())].withdraw(now: .now()) }
    }

    func emit(_ provider: String, _ kind: UpstreamEvent.Kind) {
        onEvent(UpstreamEvent(provider: provider, kind: kind))
    }
}
