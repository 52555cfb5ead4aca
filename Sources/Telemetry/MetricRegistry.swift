import Synchronization

/// The metrics of one process: instruments, and sources that are called for each snapshot.
///
/// `docs/decisions/006-own-metrics.md` says why it is not a backend of swift-metrics.
package final class MetricRegistry: Sendable {
    private struct State {
        var counters: [MetricFamily: [[String]: Counter]] = [:]
        var histograms: [MetricFamily: [[String]: Histogram]] = [:]
        var sources: [@Sendable (inout MetricSnapshot) -> Void] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// The counter with these labels; the first call creates it. Code that counts often should hold on to it.
    package func counter(_ family: MetricFamily, _ labels: [String] = []) -> Counter {
        precondition(family.kind == .counter && family.labels.count == labels.count)
        return state.withLock { state in
            if let counter = state.counters[family]?[labels] { return counter }
            let counter = Counter()
            state.counters[family, default: [:]][labels] = counter
            return counter
        }
    }

    /// The histogram with these labels; the first call creates it. Code that observes often should hold on to it.
    package func histogram(_ family: MetricFamily, _ labels: [String] = []) -> Histogram {
        guard let bounds = family.bounds, family.labels.count == labels.count else {
            preconditionFailure("\(family.name) is not a histogram with these labels")
        }
        return state.withLock { state in
            if let histogram = state.histograms[family]?[labels] { return histogram }
            let histogram = Histogram(bounds)
            state.histograms[family, default: [:]][labels] = histogram
            return histogram
        }
    }

    /// Adds a source of values that are read only for a snapshot. It must be fast, and may be called on any thread.
    package func addSource(_ source: @escaping @Sendable (inout MetricSnapshot) -> Void) {
        state.withLock { $0.sources.append(source) }
    }

    package func snapshot() -> MetricSnapshot {
        let (counters, histograms, sources) = state.withLock { ($0.counters, $0.histograms, $0.sources) }
        var snapshot = MetricSnapshot()
        for (family, series) in counters {
            for (labels, counter) in series { snapshot.set(family, labels, to: counter.value) }
        }
        for (family, series) in histograms {
            for (labels, histogram) in series { snapshot.set(family, labels, values: histogram.values) }
        }
        for source in sources { source(&snapshot) }
        return snapshot
    }
}
