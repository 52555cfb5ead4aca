import Foundation
import Telemetry
import TestSupport
import Testing

@Suite("docs/metrics.md")
struct MetricsDocumentTests {
    @Test("The document lists exactly the existing metrics, with type and labels")
    func documentedMetrics() throws {
        let text = try Repository.text("docs/metrics.md")
        var documented: [String: String] = [:]
        for row in text.matches(of: /\| `([a-z_]+)` \| ([a-z]+) \|([^|]*)\|/) {
            let labels = row.3.matches(of: /`([a-z]+)`/).map { String($0.1) }
            #expect(documented.updateValue("\(row.2) \(labels)", forKey: String(row.1)) == nil, "\(row.1) twice")
        }
        for family in MetricFamily.all {
            let labels = (family.scope == .process ? ["process"] : []) + family.labels
            #expect(documented.removeValue(forKey: family.name) == "\(family.kind) \(labels)", "\(family.name)")
        }
        #expect(documented.keys.sorted() == [], "not there")
    }
}
