import Contracts
import Model
import Telemetry

/// The metrics that workers last reported, by process name.
///
/// A worker counts from its start. To keep the counters of `/metrics` from falling while this gateway runs, the totals
/// of earlier processes of a name are added to those of the present one. The totals of a name that stays away for
/// ``memory`` are added to the name ``gone``.
package struct WorkerReports: Sendable {
    /// The process name under which the totals of workers that stayed away are reported.
    package static let gone = "gone"
    /// How long a name that reports nothing keeps its own totals.
    static let memory = Duration.seconds(3_600)

    /// For how long messages of an earlier process may still arrive.
    static let lateness = Duration.seconds(10)

    package struct Process: Sendable {
        package var name: String
        /// Counters cover all processes of the name; gauges are included only while it reports.
        package var metrics: MetricSnapshot
        /// `nil` for ``gone``.
        package var reportedAt: MonotonicInstant?

        package init(name: String, metrics: MetricSnapshot, reportedAt: MonotonicInstant?) {
            self.name = name
            self.metrics = metrics
            self.reportedAt = reportedAt
        }
    }

    private struct Entry {
        var instance: String
        var last: MetricReport
        /// The totals of earlier processes of the name.
        var earlier = MetricSnapshot()
        var reportedAt: MonotonicInstant
    }

    private var entries: [String: Entry] = [:]
    private var goneTotals = MetricSnapshot()

    package init() {}

    package mutating func record(_ report: MetricReport, from instance: String, now: MonotonicInstant) {
        let name = WorkerInstance.name(of: instance)
        guard var entry = entries[name] else {
            entries[name] = Entry(instance: instance, last: report, reportedAt: now)
            return
        }
        if entry.instance == instance {
            guard report.sequence > entry.last.sequence else { return }
        } else {
            // Epochs increase with time, so a lower one is a late message of an earlier process. If the wall clock was
            // set back, the later process has the lower instance id, but the earlier one is silent.
            guard instance > entry.instance || entry.reportedAt.duration(to: now) > Self.lateness else { return }
            entry.earlier.addTotals(of: entry.last.snapshot)
            entry.instance = instance
        }
        entry.last = report
        entry.reportedAt = now
        entries[name] = entry
    }

    /// - Parameter fresh: the greatest age of a report whose gauges count.
    package mutating func processes(now: MonotonicInstant, fresh: Duration) -> [Process] {
        for (name, entry) in entries where entry.reportedAt.duration(to: now) > Self.memory {
            goneTotals.addTotals(of: entry.earlier)
            goneTotals.addTotals(of: entry.last.snapshot)
            entries[name] = nil
        }
        var processes = entries.sorted { $0.key < $1.key }.map { name, entry in
            let isFresh = entry.reportedAt.duration(to: now) <= fresh
            var metrics = isFresh ? entry.last.snapshot : MetricSnapshot()
            if !isFresh { metrics.addTotals(of: entry.last.snapshot) }
            metrics.addTotals(of: entry.earlier)
            return Process(name: name, metrics: metrics, reportedAt: entry.reportedAt)
        }
        if !goneTotals.isEmpty { processes.append(Process(name: Self.gone, metrics: goneTotals, reportedAt: nil)) }
        return processes
    }
}
