import Model
import Telemetry

/// The job engine's metrics. The gateway and each worker have their own.
final class JobMetrics: Sendable {
    /// How a run ended: the values of the label `outcome`.
    enum Outcome: String {
        case succeeded
        /// The run ended with a final error: the job is a dead letter.
        case failed
        /// The run ended with an error, and another attempt is due.
        case retried
        /// The job was postponed at its upstream's request, or until a credential or scope is available; no attempt was
        /// used.
        case postponed
        case handedBack
        /// The worker no longer held the run, so its outcome changed nothing.
        case stale
        /// The run was lost with its worker or on the way to it; the job waits again.
        case released
        /// The job was set aside after deaths of its workers.
        case poison
    }

    let registry: MetricRegistry

    init(_ registry: MetricRegistry) {
        self.registry = registry
    }

    func ended(kind: String, _ outcome: Outcome) {
        registry.counter(.jobRuns, [kind, outcome.rawValue]).add()
    }

    /// Counts a message that could not be decoded.
    func unreadableFrame() {
        registry.counter(.messagesDropped, ["unreadable"]).add()
    }

    /// Counts accepted jobs by kind.
    func submitted(_ kinds: some Sequence<String>) {
        Self.forEachStretch(of: kinds) { registry.counter(.jobsSubmitted, [$0]).add($1) }
    }

    /// Observes a dispatch time of zero for jobs that were inserted as claimed.
    func dispatchedAtOnce(_ kinds: some Sequence<String>) {
        Self.forEachStretch(of: kinds) { registry.histogram(.dispatchTime, [$0]).observe(0, times: $1) }
    }

    /// Observes the dispatch times of jobs that waited.
    func dispatched(_ jobs: some Sequence<ReadyJob>, at now: MonotonicInstant) {
        var current: (kind: String, histogram: Histogram)?
        for job in jobs {
            let histogram: Histogram
            if let current, current.kind == job.kind.kind {
                histogram = current.histogram
            } else {
                histogram = registry.histogram(.dispatchTime, [job.kind.kind])
                current = (job.kind.kind, histogram)
            }
            histogram.observe(max(0, now.microseconds - job.since.microseconds))
        }
    }

    /// Calls `body` once for each stretch of equal kinds: consecutive jobs nearly always have the same kind.
    private static func forEachStretch(of kinds: some Sequence<String>, _ body: (String, Int) -> Void) {
        var stretch: (kind: String, count: Int)?
        for kind in kinds {
            if let current = stretch, current.kind == kind {
                stretch?.count += 1
            } else {
                if let stretch { body(stretch.kind, stretch.count) }
                stretch = (kind, 1)
            }
        }
        if let stretch { body(stretch.kind, stretch.count) }
    }
}
