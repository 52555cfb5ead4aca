import Contracts
import Model
import Telemetry

/// What workers last reported of their metrics, by process name.
///
/// A worker counts from its start. So that a counter of `/metrics` never falls while this gateway lives, what an
/// earlier life of the same name had counted is kept and added to what the present one says; and what a name that
/// stays away had counted goes over to the name ``gone`` in the end.
package struct WorkerReports: Sendable {
    /// The process name under which the counters of those that stay away go on.
    package static let gone = "gone"
    /// How long a name that reports nothing keeps its counters to itself.
    static let memory = Duration.seconds(3_600)

    /// For how long an earlier life's last words may still be under way.
    static let lateness = Duration.seconds(10)

    package struct Process: Sendable {
        package var name: String
        /// Counters over all its lives; gauges only while it reports.
        package var metrics: MetricSnapshot
        /// `nil` for those that are gone.
        package var reportedAt: MonotonicInstant?

        package init(name: String, metrics: MetricSnapshot, reportedAt: MonotonicInstant?) {
            self.name = name
            self.metrics = metrics
            self.reportedAt = reportedAt
        }
    }

    private struct Entry {
        var epoch: String
        var last: MetricReport
        /// Of the lives before this one.
        var earlier = MetricSnapshot()
        var reportedAt: MonotonicInstant
    }

    private var entries: [String: Entry] = [:]
    private var goneTotals = MetricSnapshot()

    package init() {}

    package mutating func take(_ report: MetricReport, from epoch: String, now: MonotonicInstant) {
        let name = WorkerEpoch.name(of: epoch)
        guard var entry = entries[name] else {
            entries[name] = Entry(epoch: epoch, last: report, reportedAt: now)
            return
        }
        if entry.epoch == epoch {
            guard report.sequence > entry.last.sequence else { return }
        } else {
            // Epochs rise with the time: a late word of an earlier life says less than what is known. Where the
            // wall clock was set back, a later life has the lower epoch, and the earlier one is silent.
            guard epoch > entry.epoch || entry.reportedAt.duration(to: now) > Self.lateness else { return }
            entry.earlier.addTotals(of: entry.last.snapshot)
            entry.epoch = epoch
        }
        entry.last = report
        entry.reportedAt = now
        entries[name] = entry
    }

    /// - Parameter fresh: how old a report may be for its gauges to count.
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
