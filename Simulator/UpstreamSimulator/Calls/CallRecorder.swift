import Model
import Synchronization

/// State that every upstream has: the log of calls, the fault rules, the latency.
final class CallRecorder: Sendable {
    private struct State {
        var log = CallLog()
        var faults = FaultRules()
        var latency: Duration
        /// The continuations of the answers that a rule holds back; finishing one ends its wait.
        var held: [AsyncStream<Void>.Continuation] = []
    }

    private let state: Mutex<State>

    init(latency: Duration) {
        state = Mutex(State(latency: latency))
    }

    /// A call that was counted.
    struct CountedCall: Sendable {
        var number: Int
        /// The fault rule that applies to it.
        var fault: FaultRule?
        /// Ends when the answer may be sent; `nil` if no rule holds it back.
        var release: AsyncStream<Void>?
    }

    /// Counts a call.
    func arrive(_ call: Call, endpoint: String, at instant: MonotonicInstant) -> CountedCall {
        state.withLock { state in
            let rule = state.faults.apply(call.target, endpoint: endpoint)
            let number = state.log.arrive(endpoint, at: instant, fault: rule?.fault)
            guard rule?.fault == .hold else { return CountedCall(number: number, fault: rule) }
            let (release, continuation) = AsyncStream.makeStream(of: Void.self)
            state.held.append(continuation)
            return CountedCall(number: number, fault: rule, release: release)
        }
    }

    /// Sends the answers that rules have held back so far.
    func release() {
        let held = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            let held = state.held
            state.held = []
            return held
        }
        for continuation in held { continuation.finish() }
    }

    func answer(_ number: Int, status: Int) {
        state.withLock { $0.log.answer(number, status: status) }
    }

    var log: CallLog { state.withLock { $0.log } }
    var faultBook: FaultRules { state.withLock { $0.faults } }

    var latency: Duration {
        get { state.withLock { $0.latency } }
        set { state.withLock { $0.latency = newValue } }
    }

    func add(_ rules: [FaultRule]) {
        state.withLock { $0.faults.add(rules) }
    }

    func removeFaults() {
        state.withLock { $0.faults.removeAll() }
        release()
    }

    /// Forgets calls and faults; the latency does not change.
    func reset() {
        state.withLock {
            $0.log.reset()
            $0.faults.removeAll()
        }
        release()
    }
}
