import Model
import Telemetry
import Testing

@testable import Upstream

@Suite("Metrics of upstream calls")
struct UpstreamMetricsTests {
    @Test("A provider counts as having an open breaker while that of any of its keys is open")
    func openBreakers() {
        let registry = MetricRegistry()
        let metrics = UpstreamMetrics(registry)
        let ours = PermitKey(provider: "p", credential: nil)
        let adas = PermitKey(provider: "p", credential: Secret("a"))
        func record(_ kind: UpstreamEvent.Kind) { metrics.record(UpstreamEvent(provider: "p", kind: kind)) }
        var open: [Int64]? { registry.snapshot().values(.circuitOpen, ["p"]) }
        let later = Timestamp.now().advanced(by: .seconds(600))
        #expect(open == nil)
        record(.circuitOpened(ours, until: later))
        record(.circuitOpened(adas, until: later))
        record(.circuitClosed(adas))
        #expect(open == [1])
        record(.circuitClosed(ours))
        #expect(open == [0])
        // No call was made with this key since then, so the next one passes.
        record(.circuitOpened(adas, until: Timestamp.now().advanced(by: .seconds(-1))))
        #expect(open == [0])
        #expect(registry.snapshot().values(.circuitOpenings, ["p"]) == [3])
    }
}
