import CommandSupport
import Model

/// The state machine of `backline jobs watch`, without I/O.
struct JobsWatch {
    enum Target: Equatable {
        case jobs(Set<String>)
        /// All unfinished jobs, and those submitted while others run.
        case all(kind: String?)
    }

    enum Event {
        /// A changed job from the event stream.
        case job(JobDocument)
        /// The stream was opened, broke or was silent for a while, so changes may have been missed.
        case uncertain
        /// The answer of a poll: each watched job, or for ``Target/all(kind:)`` every unfinished job.
        case polled([JobDocument])
        case failure(GatewayError)
        /// A signal was received (2 for Ctrl-C).
        case interrupt(Int32)
        case timeout
    }

    enum Next: Equatable {
        case wait
        /// Poll the gateway, and pass the answer with ``Event/polled(_:)``.
        case poll
        case end(FollowingEnd)
    }

    private let target: Target
    /// The last known state of each job.
    private var known: [String: JobEntry] = [:]
    private var hasPolled = false
    private var outage = GatewayOutage()

    init(_ target: Target) {
        self.target = target
    }

    /// The ids of the jobs not known to have ended.
    var open: [String] {
        let running = known.values.filter { !$0.state.isFinished }.map(\.id)
        guard case .jobs(let ids) = target else { return running.sorted() }
        return (running + ids.filter { known[$0] == nil }).sorted()
    }

    /// The number of jobs in each state.
    var counts: [JobState: Int] { known.values.reduce(into: [:]) { $0[$1.state, default: 0] += 1 } }

    /// - Returns: the changes to show, and the next action.
    mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> (changes: [JobDocument], next: Next) {
        switch event {
        case .job(let document):
            let changes = store(document) ? [document] : []
            // Another job may have been submitted that the stream has not reported yet, so one more poll decides.
            return (changes, open.isEmpty && hasPolled && !changes.isEmpty ? .poll : .wait)
        case .uncertain:
            return ([], .poll)
        case .polled(let found):
            outage.end()
            hasPolled = true
            let changes = found.filter { store($0) }
            return (changes, open.isEmpty ? .end(.over) : .wait)
        case .failure(let error):
            let mayPass = outage.mayPass(error, at: now)
            // If the gateway has never answered, do not wait for it.
            return ([], hasPolled && mayPass ? .wait : .end(.failed(error)))
        case .interrupt(let signal): return ([], .end(.interrupted(signal)))
        case .timeout: return ([], .end(.timedOut))
        }
    }

    /// Stores the job's state if it is a change of a watched job.
    ///
    /// - Returns: whether it was stored.
    private mutating func store(_ document: JobDocument) -> Bool {
        let job = document.job
        switch target {
        case .jobs(let ids): guard ids.contains(job.id) else { return false }
        case .all(let kind):
            guard kind == nil || kind == job.kind else { return false }
            // Jobs that ended before the watch began are not shown.
            guard known[job.id] != nil || !job.state.isFinished || hasPolled else { return false }
        }
        // The stream and polls race: an older state does not replace an end.
        if let before = known[job.id], before.state.isFinished || before.isSame(as: job) { return false }
        known[job.id] = job
        return true
    }
}

extension JobEntry {
    /// Whether both look the same to a person.
    fileprivate func isSame(as other: JobEntry) -> Bool { state == other.state && attempt == other.attempt }
}
