/// Prometheus's text format (prometheus.io/docs/instrumenting/exposition_formats).
struct MetricsPage {
    private(set) var text = ""

    mutating func gauge(_ name: String, _ help: String, _ samples: [(labels: [String: String], value: Int)]) {
        write(name, help, type: "gauge", samples)
    }

    mutating func counter(_ name: String, _ help: String, _ value: Int) {
        write(name, help, type: "counter", [([:], value)])
    }

    private mutating func write(
        _ name: String, _ help: String, type: String, _ samples: [(labels: [String: String], value: Int)]
    ) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        for sample in samples {
            let labels = sample.labels.sorted { $0.key < $1.key }.map { "\($0)=\"\(Self.escaped($1))\"" }
            text += name + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}") + " \(sample.value)\n"
        }
    }

    private static func escaped(_ value: String) -> String {
        // By scalars, because a line break after a carriage return is no character of its own.
        value.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\", "\"": text += "\\\(scalar)"
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
