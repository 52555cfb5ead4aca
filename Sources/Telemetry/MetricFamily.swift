/// A metric of `/metrics`. `docs/metrics.md` lists all of them.
package struct MetricFamily: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// It only rises while its process runs.
        case counter = 0
        case gauge = 1
        case histogram = 2
    }

    package enum Unit: Sendable {
        /// A number or bytes, shown unchanged.
        case count
        /// Stored in microseconds, shown in seconds.
        case seconds
    }

    package enum Scope: Sendable {
        /// Each process has its own value; `/metrics` shows them with the label `process`.
        case process
        /// The gateway reads it from the data that all processes share.
        case installation
    }

    package let name: String
    package let help: String
    package let kind: Kind
    package let unit: Unit
    package let scope: Scope
    /// The names of the labels, without `process`.
    package let labels: [String]
    /// The bounds of a histogram; `nil` for other metrics.
    package let bounds: Histogram.Bounds?

    private init(
        _ kind: Kind, _ name: String, _ help: String, labels: [String], unit: Unit, scope: Scope,
        bounds: Histogram.Bounds? = nil
    ) {
        self.name = name
        self.help = help
        self.kind = kind
        self.unit = unit
        self.scope = scope
        self.labels = labels
        self.bounds = bounds
    }

    static func counter(_ name: String, _ help: String, labels: [String] = [], unit: Unit = .count) -> MetricFamily {
        MetricFamily(.counter, name, help, labels: labels, unit: unit, scope: .process)
    }

    static func gauge(
        _ name: String, _ help: String, labels: [String] = [], unit: Unit = .count, scope: Scope = .process
    ) -> MetricFamily {
        MetricFamily(.gauge, name, help, labels: labels, unit: unit, scope: scope)
    }

    /// A histogram of times, in seconds.
    static func histogram(_ name: String, _ help: String, labels: [String] = []) -> MetricFamily {
        MetricFamily(.histogram, name, help, labels: labels, unit: .seconds, scope: .process, bounds: .times)
    }

    static func sizes(_ name: String, _ help: String) -> MetricFamily {
        MetricFamily(.histogram, name, help, labels: [], unit: .count, scope: .process, bounds: .sizes)
    }

    /// The number of integers in one value: for a histogram, one for each range and the sum.
    package var width: Int { bounds.map { $0.values.count + 2 } ?? 1 }

    package static func named(_ name: String) -> MetricFamily? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
