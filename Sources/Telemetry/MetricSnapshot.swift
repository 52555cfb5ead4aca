/// The values of the metrics of one or several processes at one moment.
package struct MetricSnapshot: Sendable, Equatable {
    /// One value of a family, identified by its labels.
    package struct Series: Sendable, Equatable {
        /// The values of the labels, in the order of the family's label names.
        package var labels: [String]
        /// One integer; for a histogram the counts of all ranges, then the sum.
        package var values: [Int64]
    }

    private var table: [String: [[String]: [Int64]]] = [:]

    package init() {}

    /// Sets a counter or gauge; times are in microseconds.
    package mutating func set(_ family: MetricFamily, _ labels: [String] = [], to value: Int) {
        set(family, labels, values: [Int64(value)])
    }

    package mutating func set(_ family: MetricFamily, _ labels: [String] = [], values: [Int64]) {
        precondition(
            labels.count == family.labels.count && values.count == family.width, "\(family.name) has another shape")
        table[family.name, default: [:]][labels] = values
    }

    package var isEmpty: Bool { table.isEmpty }

    package func values(_ family: MetricFamily, _ labels: [String] = []) -> [Int64]? {
        table[family.name]?[labels]
    }

    /// The values of a family, sorted by their labels.
    package func series(of family: MetricFamily) -> [Series] {
        (table[family.name] ?? [:]).map { Series(labels: $0, values: $1) }
            .sorted { $0.labels.lexicographicallyPrecedes($1.labels) }
    }

    /// Adds the counters and histograms of `other`, but not its gauges.
    package mutating func addTotals(of other: MetricSnapshot) {
        for family in MetricFamily.all where family.kind != .gauge {
            for (labels, values) in other.table[family.name] ?? [:] {
                let own = table[family.name]?[labels] ?? Array(repeating: 0, count: family.width)
                table[family.name, default: [:]][labels] = zip(own, values).map(&+)
            }
        }
    }

    /// The sum of all wanted series of a family.
    package func sum(of family: MetricFamily, where isWanted: ([String]) -> Bool = { _ in true }) -> [Int64] {
        (table[family.name] ?? [:]).filter { isWanted($0.key) }.values
            .reduce(Array(repeating: 0, count: family.width)) { zip($0, $1).map(&+) }
    }
}
