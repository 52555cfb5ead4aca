import Telemetry

extension WireWriter {
    /// Names are sent with the numbers, so that the gateway and the worker may have different versions.
    mutating func write(_ report: MetricReport) {
        write(report.sequence)
        let families = MetricFamily.all.map { (family: $0, series: report.snapshot.series(of: $0)) }
            .filter { !$0.series.isEmpty }
        write(list: families) { writer, entry in
            writer.write(entry.family.name)
            writer.write(list: entry.series) { writer, series in
                writer.write(list: series.labels) { $0.write($1) }
                writer.write(list: series.values) { $0.write($1) }
            }
        }
    }
}

extension WireReader {
    /// Skips families that this version does not know, or knows with other labels.
    mutating func readMetricReport() throws -> MetricReport {
        var report = MetricReport(sequence: try read(), snapshot: MetricSnapshot())
        _ = try readList { try $0.readFamily(into: &report.snapshot) }
        return report
    }

    private mutating func readFamily(into snapshot: inout MetricSnapshot) throws {
        let family = MetricFamily.named(try readText()).flatMap { $0.scope == .process ? $0 : nil }
        _ = try readList { reader in
            let labels = try reader.readList { try $0.readText() }
            let values = try reader.readList { try $0.read(Int64.self) }
            guard let family, labels.count == family.labels.count, values.count == family.width else { return }
            snapshot.set(family, labels, values: values)
        }
    }
}
