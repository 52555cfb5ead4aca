import Telemetry

/// Prometheus's text format (prometheus.io/docs/instrumenting/exposition_formats).
struct MetricsPage {
    private(set) var text = ""

    /// One series of a family, with all its labels.
    typealias Sample = (labels: [(name: String, value: String)], values: [Int64])

    mutating func add(_ family: MetricFamily, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.kind)\n"
        for sample in samples {
            if let bounds = family.bounds {
                addHistogram(family, bounds, sample)
            } else {
                addLine(family.name, sample.labels, Self.number(sample.values[0], family.unit))
            }
        }
    }

    private mutating func addHistogram(_ family: MetricFamily, _ bounds: Histogram.Bounds, _ sample: Sample) {
        var total: Int64 = 0
        for (count, bound) in zip(sample.values, bounds.values) {
            total += count
            addLine(family.name + "_bucket", sample.labels + [("le", Self.number(bound, family.unit))], "\(total)")
        }
        total += sample.values[bounds.values.count]
        addLine(family.name + "_bucket", sample.labels + [("le", "+Inf")], "\(total)")
        addLine(family.name + "_sum", sample.labels, Self.number(sample.values[bounds.values.count + 1], family.unit))
        addLine(family.name + "_count", sample.labels, "\(total)")
    }

    private mutating func addLine(_ name: String, _ labels: [(name: String, value: String)], _ value: String) {
        text += name
        if !labels.isEmpty {
            text += "{"
            for (index, label) in labels.enumerated() {
                text += "\(index == 0 ? "" : ",")\(label.name)=\"\(Self.escaped(label.value))\""
            }
            text += "}"
        }
        text += " \(value)\n"
    }

    /// The value as text. Times are stored as microseconds and written as seconds, exactly.
    static func number(_ value: Int64, _ unit: MetricFamily.Unit) -> String {
        guard unit == .seconds else { return "\(value)" }
        let (seconds, rest) = value.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let sign = value < 0 ? "-" : ""
        guard rest != 0 else { return "\(sign)\(seconds)" }
        var digits = String(rest)
        digits = String(repeating: "0", count: 6 - digits.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return "\(sign)\(seconds).\(digits)"
    }

    private static func escaped(_ value: String) -> String {
        let special = [UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "\n")]
        if !value.utf8.contains(where: special.contains) { return value }
        // By scalars: Swift treats "\r\n" as one character, which would hide the line break.
        return value.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\", "\"": text += "\\\(scalar)"
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
