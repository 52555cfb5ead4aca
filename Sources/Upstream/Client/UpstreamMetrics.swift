import Model
import Synchronization
import Telemetry

/// The metrics of upstream calls.
package final class UpstreamMetrics: Sendable {
    private let registry: MetricRegistry
    /// For each provider that was called, its keys whose circuit breaker is open, and until when.
    private let circuits = Mutex<[String: [PermitKey: Timestamp]]>([:])

    package init(_ registry: MetricRegistry) {
        self.registry = registry
        registry.addSource { [weak self] snapshot in
            let now = Timestamp.now()
            for (provider, keys) in self?.circuits.withLock({ $0 }) ?? [:] {
                snapshot.set(.circuitOpen, [provider], to: keys.values.contains { $0 > now } ? 1 : 0)
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
            // A provider whose breaker has never opened is reported as closed.
            circuits.withLock { $0[provider] = $0[provider] ?? [:] }
        case .circuitOpened(let key, let until):
            registry.counter(.circuitOpenings, [provider]).add()
            circuits.withLock { $0[provider, default: [:]][key] = until }
        case .circuitClosed(let key):
            circuits.withLock { $0[provider]?[key] = nil }
        case .keyPaused(_, let reason):
            registry.counter(.upstreamPauses, [provider, reason.rawValue]).add()
        case .permitMissed:
            registry.counter(.upstreamMissedPermits, [provider]).add()
        case .permitGranted, .retryBudgetSpent:
            break
        }
    }

    /// The label `status`: the answer's status, or the reason why there was none.
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
