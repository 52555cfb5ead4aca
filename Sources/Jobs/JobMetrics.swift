import Model
import Telemetry

/// What the engine counts of jobs. The gateway and the workers each have one.
final class JobMetrics: Sendable {
    /// How a run ended, as the label `outcome` has it.
    enum Outcome: String {
        case succeeded
        /// For good: a dead letter.
        case failed
        /// With an error; another attempt is due.
        case retried
        /// Its upstream asked to stay away; no attempt was spent.
        case postponed
        case handedBack
        /// The worker had lost the run, and changed nothing.
        case stale
        /// Lost with its worker, or on the way to it; it waits again.
        case released
        /// Set aside after its worker had died with it again and again.
        case poison
    }

    let registry: MetricRegistry

    init(_ registry: MetricRegistry) {
        self.registry = registry
    }

    func ended(kind: String, _ outcome: Outcome) {
        registry.counter(.jobRuns, [kind, outcome.rawValue]).add()
    }

    /// A message was of no known form.
    func unreadableFrame() {
        registry.counter(.messagesDropped, ["unreadable"]).add()
    }

    /// Jobs of any kinds were accepted.
    func submitted(_ kinds: some Sequence<String>) {
        Self.forEachStretch(of: kinds) { registry.counter(.jobsSubmitted, [$0]).add($1) }
    }

    /// Jobs were durable, due and on their way to a worker at one moment.
    func dispatchedAtOnce(_ kinds: some Sequence<String>) {
        Self.forEachStretch(of: kinds) { registry.histogram(.dispatchTime, [$0]).observe(0, times: $1) }
    }

    /// Jobs that waited have left for their workers.
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

    /// Neighbours are of one kind nearly always: an instrument is looked up once for all of them.
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
