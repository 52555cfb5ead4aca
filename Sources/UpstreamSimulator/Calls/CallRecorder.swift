import Model
import Synchronization

/// State that every upstream has: the log of calls, the fault rules, the latency.
final class CallRecorder: Sendable {
    private struct State {
        var log = CallLog()
        var faults = FaultBook()
        var latency: Duration
    }

    private let state: Mutex<State>

    init(latency: Duration) {
        state = Mutex(State(latency: latency))
    }

    /// Counts a call, and returns its number and the fault rule that applies to it.
    func arrive(_ call: Call, endpoint: String, at instant: MonotonicInstant) -> (number: Int, fault: FaultRule?) {
        state.withLock { state in
            let rule = state.faults.strike(call.target, endpoint: endpoint)
            return (state.log.arrive(endpoint, at: instant, fault: rule?.fault), rule)
        }
    }

    func answer(_ number: Int, status: Int) {
        state.withLock { $0.log.answer(number, status: status) }
    }

    var log: CallLog { state.withLock { $0.log } }
    var faultBook: FaultBook { state.withLock { $0.faults } }

    var latency: Duration {
        get { state.withLock { $0.latency } }
        set { state.withLock { $0.latency = newValue } }
    }

    func add(_ rules: [FaultRule]) {
        state.withLock { $0.faults.add(rules) }
    }

    func removeFaults() {
        state.withLock { $0.faults.removeAll() }
    }

    /// Forgets calls and faults; the latency stays.
    func reset() {
        state.withLock {
            $0.log.reset()
            $0.faults.removeAll()
        }
    }
}
