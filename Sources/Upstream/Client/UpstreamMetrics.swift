import Synchronization
import Telemetry

/// Counts what happens in upstream calls.
package final class UpstreamMetrics: Sendable {
    private let registry: MetricRegistry
    /// Providers whose breaker was last seen to change, and whether it is open.
    private let circuits = Mutex<[String: Bool]>([:])

    package init(_ registry: MetricRegistry) {
        self.registry = registry
        registry.addSource { [weak self] snapshot in
            for (provider, isOpen) in self?.circuits.withLock({ $0 }) ?? [:] {
                snapshot.set(.circuitOpen, [provider], to: isOpen ? 1 : 0)
            }
        }
    }

    package func record(_ event: UpstreamEvent) {
        let provider = event.provider
        switch event.kind {
        case .attempted(let attempt):
            registry.counter(.upstreamCalls, [provider, Self.status(of: attempt)]).add()
            registry.histogram(.upstreamTime, [provider]).observe(attempt.duration)
            registry.histogram(.upstreamWait, [provider]).observe(attempt.waited)
            registry.counter(.upstreamBytes, [provider]).add(attempt.responseBytes)
            if attempt.number > 1 { registry.counter(.upstreamRetries, [provider]).add() }
            // So that a breaker that never opened is seen to be closed.
            circuits.withLock { $0[provider] = $0[provider] ?? false }
        case .circuitOpened:
            registry.counter(.circuitOpenings, [provider]).add()
            circuits.withLock { $0[provider] = true }
        case .circuitClosed:
            circuits.withLock { $0[provider] = false }
        case .keyPaused(_, let reason):
            registry.counter(.upstreamPauses, [provider, reason.rawValue]).add()
        case .permitMissed:
            registry.counter(.upstreamMissedPermits, [provider]).add()
        case .permitGranted, .retryBudgetSpent:
            break
        }
    }

    /// The status of the answer, or a word for what came instead of one.
    private static func status(of attempt: UpstreamEvent.Attempt) -> String {
        if let status = attempt.status { return "\(status)" }
        switch attempt.error {
        case .connectionFailed: return "connectionFailed"
        case .timedOut: return "timedOut"
        case .responseTooLarge: return "responseTooLarge"
        default: return "notSent"
        }
    }
}
