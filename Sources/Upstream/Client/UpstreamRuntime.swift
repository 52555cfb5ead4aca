import Model
import Storage
import Synchronization

/// What all upstream calls of one process share: the transport, the permits, the circuit breakers and retry budgets.
///
/// Make one for each process, and from it an ``UpstreamClient`` for each provider and credential, as often as needed.
package final class UpstreamRuntime: Sendable {
    let transport: HTTPTransport
    private let database: Database
    private let breaker: CircuitBreaker.Settings
    private let process = UUIDv7.next()
    private let onEvent: @Sendable (UpstreamEvent) -> Void

    private struct State {
        /// Each lives as long as a client, a call or something to be written needs it: anybody can enter keys, and
        /// most of what they enter is never used again.
        var permits: [PermitKey: WeakQueue] = [:]
        /// Of references that are kept before those to nothing are looked for.
        var permitCapacity = 64
        var gates: [PermitKey: CircuitGate] = [:]
        var budgets: [String: RetryBudget] = [:]
        var lastCall: UInt64 = 0
    }
    private struct WeakQueue {
        weak var queue: PermitQueue?
    }
    private let state = Mutex(State())

    /// `database` has its schema. `onEvent` is called on any thread, and must be quick.
    package init(
        transport: HTTPTransport, database: Database, breaker: CircuitBreaker.Settings = CircuitBreaker.Settings(),
        onEvent: @escaping @Sendable (UpstreamEvent) -> Void = { _ in }
    ) {
        self.transport = transport
        self.database = database
        self.breaker = breaker
        self.onEvent = onEvent
    }

    /// Writes what is to be given back, and ends the transport.
    package func shutdown() async {
        await transport.shutdown()
        for queue in state.withLock({ $0.permits.values.compactMap(\.queue) }) { await queue.settled() }
    }

    /// Has the transport's thread call `answer` soon, if it does not hang.
    package func probe(_ answer: @escaping @Sendable () -> Void) {
        transport.probe(answer)
    }

    /// The queue of a key. The limits that a key was first asked for with stay while somebody holds the queue.
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

    /// How many keys this process keeps something of.
    var keyCount: Int { state.withLock { $0.permits.count + $0.gates.count } }

    func gate(of key: PermitKey) -> CircuitGate {
        state.withLock { state in
            if let gate = state.gates[key] { return gate }
            let gate = CircuitGate(key: key, settings: breaker)
            state.gates[key] = gate
            return gate
        }
    }

    /// Counts a call to `provider`; returns a number of its own.
    func beginCall(to provider: String) -> UInt64 {
        state.withLock { state in
            state.budgets[provider, default: RetryBudget(now: .now())].recordCall()
            state.lastCall += 1
            return state.lastCall
        }
    }

    /// Whether a call to `provider` may be tried once more.
    func mayRetry(_ provider: String) -> Bool {
        state.withLock { $0.budgets[provider, default: RetryBudget(now: .now())].withdraw(now: .now()) }
    }

    func emit(_ provider: String, _ kind: UpstreamEvent.Kind) {
        onEvent(UpstreamEvent(provider: provider, kind: kind))
    }
}
